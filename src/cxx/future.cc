/* What futures wait with.  libstdc++ calls the kernel's futex; here it is a mutex and a condition
 * variable for all of them.  Whoever looks at the word holds the mutex, and so does whoever tells
 * that it has changed: no wake-up is lost.  That different futures share them costs executions and
 * hides nothing. */
#include <bits/atomic_futex.h>
#include <cerrno>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static bool wait_until(unsigned *word, unsigned value, bool timed, clockid_t clock, long seconds,
                       long nanoseconds)
{
    int status = 0;
    pthread_mutex_lock(&lock);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
        timespec at = { seconds, nanoseconds };
        status = timed ? pthread_cond_clockwait(&changed, &lock, clock, &at)
                       : pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return status != ETIMEDOUT;
}

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned value,
                                                            bool timed, chrono::seconds s,
                                                            chrono::nanoseconds ns)
{
    return wait_until(word, value, timed, CLOCK_REALTIME, s.count(), ns.count());
}

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned value,
                                                                   bool timed, chrono::seconds s,
                                                                   chrono::nanoseconds ns)
{
    return wait_until(word, value, timed, CLOCK_MONOTONIC, s.count(), ns.count());
}

void std::__atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *)
{
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
