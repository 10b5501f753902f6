/* What std::call_once has pthread_once run.  A function that throws has not been run. */
#include <mutex>

extern "C" void heddle_once_abort();

extern "C" void __once_proxy()
{
    try {
        std::__once_call();
    } catch (...) {
        heddle_once_abort();
        throw;
    }
}
