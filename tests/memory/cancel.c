// Cancellation: a request is released to the cancellation point that acts on it.  A point that does not act is a relaxed load of
// the mark of the thread.  A thread that waits looks before it waits; it does not wait for ever if the mark is set.
// HOW=1: testcancel.  The point acts: 1.  It does not, and the thread ends before or after pthread_cancel looks whether it was
// joined: 2.
// HOW=2: a loop of points ends only by the request.  What was done before the request is known.
// HOW=3: what is done after the request is not: a race.
// HOW=4: a semaphore that nobody posts: 1.  HOW=5: and nobody cancels.
// HOW=6: a condition variable.  The thread is cancelled before it enters, or when it has entered, and has the mutex then: 2.
// HOW=7: a signal, then a request.  The thread is cancelled before it enters: 1.  It enters after the signal, and is cancelled: 1.
// It enters before, and the signal wakes it: it looks before the request, and ends before or after pthread_cancel asks
// whether it was joined: 2; or it looks after the request, and the signal was there first: 1.
// HOW=8: a thread is cancelled that may have been joined.  HOW=9: the semaphore is posted after the request: POSIX lets the thread
// go on or be cancelled.  HOW=10: disabled, then enabled again: the next point acts.
// HOW=11: a join is a point, and so is a read from an empty pipe (HOW=12) and poll (HOW=13).
// HOW=14: a thread that stands before a mutex does not see the request: a deadlock.
// case: HOW=1 => verified; 3
// case: HOW=1 memory=tso => verified; 3
// case: HOW=1 memory=sc => verified; 3
// case: HOW=2 => verified
// case: HOW=2 memory=tso => verified
// case: HOW=2 memory=sc => verified
// case: HOW=3 => violation data-race
// case: HOW=4 => verified; 1
// case: HOW=4 memory=tso => verified; 1
// case: HOW=4 memory=sc => verified; 1
// case: HOW=5 => violation deadlock
// case: HOW=5 memory=tso => violation deadlock
// case: HOW=6 => verified; 2
// case: HOW=6 memory=tso => verified; 2
// case: HOW=6 memory=sc => verified; 2
// case: HOW=7 => verified; 5
// case: HOW=7 memory=tso => verified; 5
// case: HOW=7 memory=sc => verified; 5
// case: HOW=8 => violation misuse
// case: HOW=8 memory=sc => violation misuse
// case: HOW=9 memory=tso => violation assertion
// case: HOW=9 memory=sc => violation assertion
// case: HOW=10 => verified; 1
// case: HOW=11 => verified
// case: HOW=11 memory=tso => verified
// case: HOW=12 => verified
// case: HOW=12 memory=tso => verified
// case: HOW=13 => verified
// case: HOW=13 memory=tso => verified
// case: HOW=14 => violation deadlock
#define _GNU_SOURCE
#include "orders.h"

#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_t cancelled, other;
static sem_t sem;
static int data, went_on, ends[2];

static void handler(void *lock)
{
    if (HOW == 2 || HOW == 3)
        assert(data == 1);
    if (lock)
        pthread_mutex_unlock(lock);
}

static void *sleeps(void *unused)
{
    sem_t never;
    sem_init(&never, 0, 0);
    sem_wait(&never);
    return unused;
}

static void wait_here(void)
{
    char byte;
    struct pollfd p = { .fd = ends[0], .events = POLLIN };
    switch (HOW) {
    case 2:
    case 3:
        for (;;)
            pthread_testcancel();
    case 4:
    case 5:
    case 9:
        sem_wait(&sem);
        break;
    case 6:
    case 7:
        pthread_cond_wait(&cond, &mutex);
        break;
    case 10:
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        sem_wait(&sem);
        went_on = 1;
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        pthread_testcancel();
        assert(0);
    case 11:
        pthread_join(other, NULL);
        break;
    case 12:
        read(ends[0], &byte, 1);
        break;
    case 13:
        poll(&p, 1, -1);
        break;
    case 14:
        pthread_testcancel();
        pthread_mutex_lock(&mutex);
        break;
    default:
        pthread_testcancel();
    }
}

static void *victim(void *unused)
{
    void *lock = HOW == 6 || HOW == 7 ? &mutex : NULL;
    if (lock)
        pthread_mutex_lock(lock);
    pthread_cleanup_push(handler, lock);
    wait_here();
    went_on = 1;
    pthread_cleanup_pop(1);
    return unused;
}

static void *canceller(void *unused)
{
    pthread_cancel(cancelled);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&sem, 0, 0);
    if (HOW == 12 || HOW == 13)
        pipe(ends);
    if (HOW == 11)
        pthread_create(&other, NULL, sleeps, NULL);
    if (HOW == 14)
        pthread_mutex_lock(&mutex);
    pthread_create(&cancelled, NULL, victim, NULL);
    if (HOW == 8) {
        pthread_create(&thread, NULL, canceller, NULL);
        pthread_join(cancelled, NULL);
        pthread_join(thread, NULL);
        return 0;
    }
    if (HOW == 2)
        data = 1;
    if (HOW == 7)
        pthread_cond_signal(&cond);
    if (HOW != 5)
        pthread_cancel(cancelled);
    if (HOW == 3)
        data = 1;
    if (HOW == 9 || HOW == 10)
        sem_post(&sem);
    pthread_join(cancelled, &result);
    assert(HOW == 10 || (result == PTHREAD_CANCELED) == !went_on);
    assert(HOW == 1 || HOW == 7 || (HOW == 10) == went_on);
    if (HOW == 11) {
        pthread_cancel(other);
        pthread_join(other, NULL);
    }
    return 0;
}
