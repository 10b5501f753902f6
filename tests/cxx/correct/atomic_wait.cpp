// A thread waits for a value that another one stores before it notifies.
// expect: verified
// also: --memory tso => verified
// orders: weak
// cc-flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready;
static int data;

static void hear()
{
    ready.wait(0, std::memory_order_acquire);
    assert(data == 1);
}

int main()
{
    std::thread a(hear);
    data = 1;
    ready.store(1, std::memory_order_release);
    ready.notify_all();
    a.join();
}
