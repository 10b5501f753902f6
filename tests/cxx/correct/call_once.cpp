// The first attempt throws, so another one runs; then none.
// expect: verified
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int attempts, ready;

static void prepare()
{
    if (attempts++ == 0)
        throw std::runtime_error("not yet");
    ready = 1;
}

static void use()
{
    try {
        std::call_once(once, prepare);
        assert(ready == 1);
    } catch (const std::runtime_error &) {
    }
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(attempts == 2 && ready == 1);
}
