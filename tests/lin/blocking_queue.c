/* A queue of two under a mutex, with a condition variable for each reason to wait.
 *
 * Correct: an element is put or taken in one critical section.  A thread that waits has found the queue full (empty)
 * in the section in which it goes to sleep, and every get (put) signals.  So if a call sleeps for ever, the queue is
 * full (empty) in the end, and there the call blocks in a sequential run, too.
 *
 * BUG 1: put signals only if the queue was empty.  Two threads wait; the second put finds an element that nobody has
 * taken yet and wakes nobody.  Two waiting gets and two puts are needed: with one waiter the put that follows finds the
 * queue empty.
 * BUG 2: a woken get does not look again.  The queue may have been emptied since.
 * BUG 3: the mutex is released between looking and sleeping: the signal in between is lost.
 */
// lin: verified
// lin -DBUG=1 --calls=4: deadlock in '/ put(1); put(1) | get | get /'
// lin -DBUG=2: results in '/ put(1); get | get /'
// lin -DBUG=3: deadlock in '/ put(1) | get /'
#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int items[2], first, n;

HEDDLE_LIN_SETUP { first = n = items[0] = items[1] = 0; }

HEDDLE_LIN_VOID(put, int v, HEDDLE_IN(1, 2))
{
    pthread_mutex_lock(&m);
    while (n == 2)
        pthread_cond_wait(&not_full, &m);
    items[(first + n++) % 2] = v;
    if (BUG != 1 || n == 1)
        pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

HEDDLE_LIN_OP0(get)
{
    pthread_mutex_lock(&m);
    if (BUG == 2 && n == 0)
        pthread_cond_wait(&not_empty, &m);
    if (BUG == 3 && n == 0) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        pthread_cond_wait(&not_empty, &m);
    }
    while (BUG != 2 && n == 0)
        pthread_cond_wait(&not_empty, &m);
    int v = items[first];
    first = (first + 1) % 2;
    n--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return v;
}
