// What happens before count_down happens before the end of a wait.  The latch is of a type that no
// futex can wait for directly.
// expect: verified
// also: --memory tso => verified
// orders: weak
// cc-flags: -std=c++20
#include <cassert>
#include <latch>
#include <thread>

int main()
{
    int data = 0;
    std::latch latch(2);
    std::thread a([&] {
        data = 1;
        latch.count_down();
    });
    latch.arrive_and_wait();
    assert(data == 1);
    a.join();
}
