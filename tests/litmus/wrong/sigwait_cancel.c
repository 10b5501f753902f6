// Waiting for a signal that the thread does not block: POSIX leaves undefined what happens.
// expect: violation misuse
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;

static void *take(void *unused)
{
    int number;
    sigwait(&set, &number); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_create(&t, NULL, take, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
