/* The thread pool of SCALE's appendix A.3.2, the version that CHESS was run on: that of
 * threadpool.c, with a critical section and a semaphore.  Critical sections are mutexes here,
 * ReleaseSemaphore(s, n) is n posts with nothing in between.
 *
 *   -DN=2   workers */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

#define pthread_cond_t sem_t
#define pthread_cond_init(semaphore, unused) sem_init(semaphore, 0, 0)
#define pthread_cond_destroy(semaphore) sem_destroy(semaphore)
#define pthread_cond_signal(semaphore) sem_post(semaphore)
#define pthread_cond_wait(semaphore, lock)                                                       \
    do {                                                                                         \
        pthread_mutex_unlock(lock);                                                              \
        sem_wait(semaphore);                                                                     \
        pthread_mutex_lock(lock);                                                                \
    } while (0)
#define pthread_cond_broadcast(semaphore)                                                        \
    do {                                                                                         \
        heddle_atomic_begin();                                                                   \
        for (int i = n_idle; i > 0; i--)                                                         \
            sem_post(semaphore);                                                                 \
        heddle_atomic_end();                                                                     \
    } while (0)

#include "threadpool.c"
