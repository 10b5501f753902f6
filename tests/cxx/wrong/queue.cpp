// notify_one with two kinds of waiters on one condition variable: the wake-up can go to the wrong one.
// expect: violation deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int items;

static void put()
{
    std::unique_lock<std::mutex> hold(mutex);
    while (items == 1)
        changed.wait(hold);
    items++;
    changed.notify_one();
}

static void take()
{
    std::unique_lock<std::mutex> hold(mutex);
    while (items == 0)
        changed.wait(hold);
    items--;
    changed.notify_one();
}

int main()
{
    std::thread a(put), b(put), c(take), d(take);
    a.join();
    b.join();
    c.join();
    d.join();
}
