// A packaged task run by another thread; a value that is there when its thread has ended, and not before.
// expect: verified
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

static std::atomic<int> after;

int main()
{
    std::packaged_task<int()> task([] { return 20; });
    std::promise<int> late;
    auto a = task.get_future(), b = late.get_future();
    std::thread runs([&] { task(); });
    std::thread ends([&] {
        late.set_value_at_thread_exit(22);
        after = 1;
    });
    assert(a.get() + b.get() == 42);
    assert(after == 1);
    runs.join();
    ends.join();
}
