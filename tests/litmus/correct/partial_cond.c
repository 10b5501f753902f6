// As partial_cond beside it, but main itself signals on every turn: the thread can always be woken.
// expect: no-violation-found
// options: --strategy random --time 4
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_long beats;

static void *consume(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void beat(void)
{
    beats++;
    pthread_cond_signal(&ready);
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, consume, 0);
    for (;;) {
        beat();
        sched_yield();
    }
}
