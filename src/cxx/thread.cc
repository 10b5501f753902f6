/* std::thread: what libstdc++ keeps in its shared object, as code that is instrumented with the
 * program. */
#include <cerrno>
#include <pthread.h>
#include <system_error>
#include <thread>

static void *run(void *arg)
{
    std::thread::_State_ptr state(static_cast<std::thread::_State *>(arg));
    state->_M_run();
    return nullptr;
}

void std::thread::_M_start_thread(_State_ptr state, void (*)())
{
    int failed = pthread_create(&_M_id._M_thread, nullptr, run, state.get());
    if (failed)
        __throw_system_error(failed);
    state.release();
}

void std::thread::join()
{
    int failed = EINVAL;
    if (_M_id != id())
        failed = pthread_join(_M_id._M_thread, nullptr);
    if (failed)
        __throw_system_error(failed);
    _M_id = id();
}

void std::thread::detach()
{
    int failed = EINVAL;
    if (_M_id != id())
        failed = pthread_detach(_M_id._M_thread);
    if (failed)
        __throw_system_error(failed);
    _M_id = id();
}
