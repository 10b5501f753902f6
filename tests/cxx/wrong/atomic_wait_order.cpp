// The wait is relaxed: it returns, but what was written before the notification is not ordered.
// expect: violation data-race
// cc-flags: -std=c++20
#include <atomic>
#include <thread>

static std::atomic<int> ready;
static int data;

int main()
{
    std::thread a([] {
        ready.wait(0, std::memory_order_relaxed);
        data++; /* race */
    });
    data = 1; /* race */
    ready.store(1, std::memory_order_release);
    ready.notify_one();
    a.join();
}
