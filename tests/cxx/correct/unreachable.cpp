// expect: verified
// Ends of functions that are never reached: after a switch that has all cases, and after a throw.
#include <atomic>
#include <stdexcept>
#include <thread>

enum class turn { left, right };

static std::atomic<int> sum;

static int step(turn t)
{
    switch (t) {
    case turn::left:
        return 1;
    case turn::right:
        return 2;
    }
    __builtin_unreachable();
}

static int fail() { throw std::runtime_error("always"); }

int main()
{
    std::thread other([] { sum += step(turn::left); });
    try {
        sum += fail();
    } catch (const std::runtime_error &) {
        sum += step(turn::right);
    }
    other.join();
    return sum - 3;
}
