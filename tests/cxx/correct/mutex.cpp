// Two threads count under a lock_guard.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void count()
{
    std::lock_guard<std::mutex> hold(mutex);
    counter++;
}

int main()
{
    std::thread a(count), b(count);
    a.join();
    b.join();
    assert(counter == 2);
}
