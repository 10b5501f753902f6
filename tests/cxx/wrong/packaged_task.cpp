// A value that is there at once: what its thread does after it may come later.
// expect: violation assertion
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
        late.set_value(22);
        after = 1;
    });
    assert(a.get() + b.get() == 42);
    assert(after == 1);
    runs.join();
    ends.join();
}
