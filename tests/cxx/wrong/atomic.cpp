// Two atomic operations are not one.
// expect: violation assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> value;

static void work() { value = value + 1; }

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(value == 2); /* violation */
}
