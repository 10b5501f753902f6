/* The reusable barrier of SCALE's appendix A.4.2, the version that CHESS was run on: a critical
 * section and two semaphores.  N threads, main among them, meet STEPS times.  Critical sections
 * are mutexes here, ReleaseSemaphore(s, n) is n posts with nothing in between.
 *
 *   -DN=2 -DSTEPS=1 */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef STEPS
#define STEPS 1
#endif

static pthread_mutex_t lock;
static sem_t all_in, all_out;
static unsigned count;

static void release(sem_t *semaphore)
{
    heddle_atomic_begin();
    for (int i = 0; i < N - 1; i++)
        sem_post(semaphore);
    heddle_atomic_end();
}

/* One phase: the thread that comes last, when `count` is `full`, lets the others go. */
static void phase(int change, unsigned full, sem_t *semaphore)
{
    int last = 0;
    pthread_mutex_lock(&lock);
    count += (unsigned)change;
    if (count == full) {
        last = 1;
        release(semaphore);
    }
    pthread_mutex_unlock(&lock);
    if (!last)
        sem_wait(semaphore);
}

static void *meet(void *unused)
{
    (void)unused;
    for (int i = 0; i < STEPS; i++) {
        phase(1, N, &all_in);
        phase(-1, 0, &all_out);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    pthread_mutex_init(&lock, NULL);
    sem_init(&all_in, 0, 0);
    sem_init(&all_out, 0, 0);
    for (int i = 0; i < N - 1; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    meet(NULL);
    for (int i = 0; i < N - 1; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&lock);
    sem_destroy(&all_in);
    sem_destroy(&all_out);
    return 0;
}
