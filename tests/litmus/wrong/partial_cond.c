// The signal may come before the wait.  Then nobody is left who could wake the thread, and main goes on
// without end.
// expect: violation deadlock
// options: --strategy random --executions 40
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_long beats;

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock); /* violation */
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *produce(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&ready); /* lost */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, consume, 0);
    pthread_create(&b, 0, produce, 0);
    for (;;) {
        beats++;
        sched_yield();
    }
}
