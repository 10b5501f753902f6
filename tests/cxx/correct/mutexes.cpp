// The other mutexes: shared, recursive, timed.
// expect: verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex shared;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static int value, depth, late;

static void write()
{
    std::unique_lock<std::shared_mutex> hold(shared);
    value++;
    value++;
}

static void descend(int n)
{
    std::lock_guard<std::recursive_mutex> hold(recursive);
    depth++;
    if (n)
        descend(n - 1);
}

static void hurry()
{
    if (timed.try_lock_for(std::chrono::milliseconds(1))) {
        late++;
        timed.unlock();
    }
}

int main()
{
    std::thread a(write), b(descend, 1), c(hurry);
    {
        std::shared_lock<std::shared_mutex> hold(shared);
        assert(value % 2 == 0);
    }
    descend(1);
    hurry();
    a.join();
    b.join();
    c.join();
    assert(value == 2 && depth == 4 && late >= 1);
}
