// The handler runs while its thread waits for a condition variable, which goes on afterwards: a wake-up in between is not lost.
// expect: verified
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int handled;
static int ready;

static void handler(int number)
{
    handled = 1;
    (void)number;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    while (!handled)
        ; /* the thread cannot end before */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
