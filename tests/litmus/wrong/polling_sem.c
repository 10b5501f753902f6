// expect: violation abort
// options: --strategy auto
// also: --strategy optimal => violation abort
// also: --strategy stateful => violation abort
// The flag may be seen before the work: then it is left.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t work;
static atomic_int stop;
static int done;

static void *worker(void *unused)
{
    while (!atomic_load(&stop)) {
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        at.tv_sec += 1;
        if (sem_timedwait(&work, &at) == 0)
            done++;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&work, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_post(&work);
    atomic_store(&stop, 1);
    pthread_join(t, 0);
    return done != 1; /* violation */
}
