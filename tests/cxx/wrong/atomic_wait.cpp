// The notification comes before the store: a thread that waits after it is never woken.
// expect: violation deadlock
// also: --memory tso => violation deadlock
// cc-flags: -std=c++20
#include <atomic>
#include <thread>

static std::atomic<int> ready;

int main()
{
    std::thread a([] {
        ready.wait(0); /* violation */
    });
    ready.notify_all();
    ready.store(1);
    a.join();
}
