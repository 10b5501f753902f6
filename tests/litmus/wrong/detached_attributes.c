// A thread that was created detached is asked for its clock, and may have ended.
// expect: violation misuse
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t worker;
    pthread_attr_t attributes;
    clockid_t clock;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&worker, &attributes, work, NULL);
    pthread_getcpuclockid(worker, &clock); /* violation */
    return 0;
}
