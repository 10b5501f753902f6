/* A lock that is tried until it is had, three times: who comes in which order?
 *
 * One thread enters twice (1, 2), the other once (3).  3 last: the other fails in neither, in either or in both
 * of the sections before it, and having failed in the first it may see the lock free between the two
 * or only after both: 5 traces.  1 3 2: each of the two that come later fails in the section before it or not: 4.
 * 3 first: 2.  That is 11; how long anybody goes on trying makes no difference. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
void heddle_observe(const void *bytes, unsigned long n);
static int order[4], n;
#if !defined LOCK || LOCK == 1
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define INIT
#define ENTER while (pthread_mutex_trylock(&lock))
#define LEAVE pthread_mutex_unlock(&lock)
#elif LOCK == 2
static sem_t lock;
#define INIT sem_init(&lock, 0, 1)
#define ENTER while (sem_trywait(&lock) == -1 && errno == EAGAIN)
#define LEAVE sem_post(&lock)
#elif LOCK == 3
static pthread_spinlock_t lock;
#define INIT pthread_spin_init(&lock, 0)
#define ENTER while (pthread_spin_trylock(&lock) == EBUSY)
#define LEAVE pthread_spin_unlock(&lock)
#elif LOCK == 4
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define INIT
#define ENTER while (pthread_rwlock_trywrlock(&lock) != 0)
#define LEAVE pthread_rwlock_unlock(&lock)
#elif LOCK == 5
static mtx_t lock;
#define INIT mtx_init(&lock, mtx_plain)
#define ENTER while (mtx_trylock(&lock) == thrd_busy)
#define LEAVE mtx_unlock(&lock)
#elif LOCK == 6
static const struct timespec past = { .tv_sec = 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define INIT
#define ENTER while (pthread_mutex_timedlock(&lock, &past))
#define LEAVE pthread_mutex_unlock(&lock)
#endif
#ifndef PAUSE
#define PAUSE ((void)0)
#endif
static void enter(int who)
{
    ENTER
    PAUSE;
    order[n++] = who;
    LEAVE;
}
static void *run(void *unused)
{
    enter(1);
    enter(2);
    return unused;
}
int main(void)
{
    pthread_t thread;
    INIT;
    pthread_create(&thread, NULL, run, NULL);
    enter(3);
    pthread_join(thread, NULL);
    heddle_observe(order, sizeof order);
    return 0;
}
