// new and delete in their forms; failing allocations are met.
// expect: verified
// options: --faults malloc:4 --leaks
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>

struct alignas(64) wide {
    char bytes[64];
};

static int failures;

static void make(int which)
{
    try {
        if (which == 0) {
            std::unique_ptr<int[]> numbers(new int[3]());
            assert(numbers[2] == 0);
        } else if (which == 1) {
            std::unique_ptr<wide> w(new wide);
            assert(reinterpret_cast<std::uintptr_t>(w.get()) % 64 == 0);
        } else if (int *p = new (std::nothrow) int(3)) {
            delete p;
        } else {
            failures++;
        }
    } catch (const std::bad_alloc &) {
        failures++;
    }
}

int main()
{
    for (int i = 0; i < 3; i++)
        make(i);
    assert(failures <= 3);
    return 0;
}
