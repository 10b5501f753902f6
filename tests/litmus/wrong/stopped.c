// expect: violation no-progress
// SIGSTOP cannot be handled: the process stands still until another process lets it go on.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused)
{
    raise(SIGSTOP); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
