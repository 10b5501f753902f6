// An element behind the end of a std::array: the library's precondition is broken in this line.
// expect: violation assertion
#include <array>
#include <thread>

static std::array<int, 3> array;

int main()
{
    volatile unsigned last = 3;
    std::thread a([&] {
        array[last] = 1; /* violation */
    });
    a.join();
    return array[0];
}
