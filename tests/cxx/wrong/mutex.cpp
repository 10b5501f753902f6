// The guard is a temporary: it lets go at once.
// expect: violation assertion data-race
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void count()
{
    std::lock_guard<std::mutex>{ mutex };
    counter++;
}

int main()
{
    std::thread a(count), b(count);
    a.join();
    b.join();
    assert(counter == 2); /* violation */
}
