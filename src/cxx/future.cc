/* What futures wait with.  libstdc++ calls the kernel's futex; here it is a mutex and a condition
 * variable for all of them.  Whoever looks at the word holds the mutex, and so does whoever tells
 * that it has changed: no wake-up is lost.  That different futures share them costs executions and
 * hides nothing. */
#include <bits/atomic_futex.h>
#include <cerrno>
#include <future>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t of_all = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static bool wait_until(unsigned *word, unsigned value, bool timed, clockid_t clock, long seconds,
                       long nanoseconds)
{
    int status = 0;
    pthread_mutex_lock(&of_all);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
        timespec at = { seconds, nanoseconds };
        status = timed ? pthread_cond_clockwait(&changed, &of_all, clock, &at)
                       : pthread_cond_wait(&changed, &of_all);
    }
    pthread_mutex_unlock(&of_all);
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
    pthread_mutex_lock(&of_all);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&of_all);
}

/* What becomes ready when its thread ends: set_value_at_thread_exit and its like. */
static pthread_key_t leaving;
static pthread_once_t leaving_made = PTHREAD_ONCE_INIT;

static void leave(void *first)
{
    for (auto *at = static_cast<std::__at_thread_exit_elt *>(first); at;) {
        auto *next = at->_M_next;
        at->_M_cb(at);
        at = next;
    }
}

static void make_leaving() { pthread_key_create(&leaving, leave); }

void std::__future_base::_State_baseV2::_Make_ready::_S_run(void *self)
{
    unique_ptr<_Make_ready> ready(static_cast<_Make_ready *>(self));
    if (auto state = ready->_M_shared_state.lock())
        state->_M_status._M_store_notify_all(_Status::__ready, memory_order_seq_cst);
}

void std::__future_base::_State_baseV2::_Make_ready::_M_set()
{
    pthread_once(&leaving_made, make_leaving);
    _M_cb = &_Make_ready::_S_run;
    _M_next = static_cast<__at_thread_exit_elt *>(pthread_getspecific(leaving));
    pthread_setspecific(leaving, this);
}
