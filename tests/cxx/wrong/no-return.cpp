// expect: violation crash
// The end of a function that must return a value: undefined in C++, and after it lies other code.
#include <atomic>
#include <pthread.h>

static std::atomic<int> done;

#pragma clang diagnostic ignored "-Wreturn-type"
static void *work(void *) { done = 1; } /* violation */

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
    return done - 1;
}
