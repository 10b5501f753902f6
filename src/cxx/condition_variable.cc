/* std::condition_variable, on the one of pthreads. */
#include <condition_variable>
#include <pthread.h>

std::condition_variable::condition_variable() noexcept = default;

std::condition_variable::~condition_variable() noexcept = default;

void std::condition_variable::wait(unique_lock<mutex> &lock)
{
    pthread_cond_wait(_M_cond.native_handle(), lock.mutex()->native_handle());
}

void std::condition_variable::notify_one() noexcept
{
    pthread_cond_signal(_M_cond.native_handle());
}

void std::condition_variable::notify_all() noexcept
{
    pthread_cond_broadcast(_M_cond.native_handle());
}
