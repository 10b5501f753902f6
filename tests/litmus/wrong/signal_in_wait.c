// A handler that takes the lock which its thread may hold.
// expect: violation misuse
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int handled;

static void handler(int number)
{
    pthread_mutex_lock(&m); /* violation */
    handled = 1;
    pthread_mutex_unlock(&m);
    (void)number;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    handled++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
