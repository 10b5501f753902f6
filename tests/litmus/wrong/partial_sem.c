// A barrier for two that only one thread comes to, and a semaphore that is posted after it: both wait
// for ever while main polls.
// expect: violation deadlock
// options: --strategy random --executions 40
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_barrier_t both;
static sem_t through;
static atomic_long beats;

static void *first(void *unused)
{
    pthread_barrier_wait(&both); /* violation */
    sem_post(&through);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&through);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    sem_init(&through, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    for (;;) {
        beats++;
        sched_yield();
    }
}
