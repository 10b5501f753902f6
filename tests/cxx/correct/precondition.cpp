// The last element of a std::array is written.
// expect: verified
#include <array>
#include <thread>

static std::array<int, 3> array;

int main()
{
    volatile unsigned last = 2;
    std::thread a([&] { array[last] = 1; });
    a.join();
    return array[0];
}
