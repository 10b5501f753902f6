// A thread that could not be created is joined.
// expect: violation misuse
// options: --faults create
// also: => verified
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t = 0;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL); /* violation */
    return 0;
}
