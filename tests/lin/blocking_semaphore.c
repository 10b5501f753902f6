/* A semaphore whose calls take no lock while units are there.
 *
 * Correct: a wait that sleeps has announced itself in `waiters` before it looked at `count` again, and a post changes
 * `count` before it looks at `waiters`; all four accesses are seq_cst, so one of the two sees the other (store
 * buffering is excluded).  A post that sees a waiter signals under the mutex, which the waiter holds until it sleeps.
 * So a call sleeps for ever only if there is no unit, where it blocks in a sequential run, too.
 *
 * BUG 1: no second look after the announcement: the post between the look and the announcement signals nobody.
 * BUG 2: the four accesses are relaxed: wait and post may miss each other (store buffering), which no interleaving shows.
 * BUG 3: count is loaded and stored: one unit for two waits.  That needs two waits and a post: two waits in one thread
 * come one after the other, and `wait; wait | post` waits for ever in a sequential run, too.
 */
// lin: verified
// lin -DBUG=1: deadlock in '/ post | wait /'
// lin -DBUG=2: deadlock in '/ post | wait /'
// lin -DBUG=3: results in '/ post; wait | wait /'
#include <heddle/lin.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#define ORDER (BUG == 2 ? memory_order_relaxed : memory_order_seq_cst)

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static atomic_int count, waiters;

HEDDLE_LIN_SETUP { count = waiters = 0; }

static int try_wait(void)
{
    int n = atomic_load_explicit(&count, ORDER);
    if (BUG == 3 && n > 0) {
        atomic_store(&count, n - 1);
        return 1;
    }
    while (n > 0)
        if (atomic_compare_exchange_strong_explicit(&count, &n, n - 1, ORDER, ORDER))
            return 1;
    return 0;
}

HEDDLE_LIN_VOID0(post)
{
    atomic_fetch_add_explicit(&count, 1, ORDER);
    if (atomic_load_explicit(&waiters, ORDER) > 0) {
        pthread_mutex_lock(&m);
        pthread_cond_signal(&posted);
        pthread_mutex_unlock(&m);
    }
}

HEDDLE_LIN_VOID0(wait)
{
    if (try_wait())
        return;
    pthread_mutex_lock(&m);
    atomic_fetch_add_explicit(&waiters, 1, ORDER);
    if (BUG == 1)
        pthread_cond_wait(&posted, &m);
    while (!try_wait())
        pthread_cond_wait(&posted, &m);
    atomic_fetch_sub_explicit(&waiters, 1, ORDER);
    pthread_mutex_unlock(&m);
}
