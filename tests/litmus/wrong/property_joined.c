// A thread is given a name, and may have been joined: its id means nothing then.
// expect: violation misuse
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *unused) { return unused; }

static void *names(void *unused)
{
    pthread_setname_np(worker, "worker"); /* violation */
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, names, NULL);
    pthread_join(worker, NULL);
    pthread_join(other, NULL);
    return 0;
}
