/* A value that is set once.  `get` waits for it under a mutex, `spin` in a loop.
 *
 * Correct: both return only the value of the one set that returned 1, after it was there; both wait for ever only if
 * there is no set, where they block in a sequential run, too.
 *
 * BUG 1: set wakes one of those who wait.  Two must wait, in threads of their own, and a third one sets.
 * BUG 2: the flag is raised with relaxed, and spin reads the value without having synchronised.
 * BUG 3: set looks outside of the critical section: two sets return 1.
 */
// lin: verified
// lin -DBUG=1: deadlock in '/ set(1) | get | get /'
// lin -DBUG=2: data race in '/ set(1) | spin /'
// lin -DBUG=3: results in '/ set(1) | set(1) /'
#include <heddle/lin.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t was_set = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static int value;

HEDDLE_LIN_SETUP { ready = value = 0; }

HEDDLE_LIN_OP(set, int v, HEDDLE_IN(1, 2))
{
    int there = BUG == 3 && ready;
    pthread_mutex_lock(&m);
    if (BUG != 3)
        there = ready;
    if (!there) {
        value = v;
        atomic_store_explicit(&ready, 1, BUG == 2 ? memory_order_relaxed : memory_order_release);
        if (BUG == 1)
            pthread_cond_signal(&was_set);
        else
            pthread_cond_broadcast(&was_set);
    }
    pthread_mutex_unlock(&m);
    return !there;
}

HEDDLE_LIN_OP0(get)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&was_set, &m);
    int v = value;
    pthread_mutex_unlock(&m);
    return v;
}

HEDDLE_LIN_OP0(spin)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    return value;
}
