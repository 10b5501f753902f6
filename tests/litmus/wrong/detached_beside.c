// A thread ends.  One thread detaches it, and another one cancels it: if that comes last, its id means nothing any longer.
// expect: violation misuse
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *unused) { return unused; }

static void *cancels(void *unused)
{
    pthread_cancel(worker); /* violation */
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, cancels, NULL);
    pthread_detach(worker);
    pthread_join(other, NULL);
    return 0;
}
