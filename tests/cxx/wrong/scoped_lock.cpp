// The same by hand: nothing but chance ends it.
// expect: violation livelock
// options: --strategy stateful
// cc-flags: -std=c++17
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

static void both(std::mutex &one, std::mutex &other)
{
    for (;;) {
        one.lock();
        if (other.try_lock())
            break;
        one.unlock();
    }
    n++;
    other.unlock();
    one.unlock();
}

int main()
{
    std::thread first([] { both(a, b); });
    std::thread second([] { both(b, a); });
    first.join();
    second.join();
    return 0;
}
