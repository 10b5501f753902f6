// Once is once, but nobody waits for it: the flag is set before the work is done.
// expect: violation assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> begun;
static std::atomic<int> ready;

static void use()
{
    if (!begun.exchange(true))
        ready = 1;
    assert(ready == 1); /* violation */
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
}
