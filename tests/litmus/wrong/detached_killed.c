// A thread that has been detached is sent a signal, and may have ended: its id means nothing then (POSIX 2.9.2).
// expect: violation misuse
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
// also: --memory tso => violation misuse
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_detach(worker);
    pthread_kill(worker, 0); /* violation */
    return 0;
}
