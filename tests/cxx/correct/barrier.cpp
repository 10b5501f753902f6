// Each thread reads in the second phase what the other one has written in the first.
// expect: verified
// also: --memory tso => verified
// orders: weak
// cc-flags: -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

static int data[2];

int main()
{
    std::barrier barrier(2);
    auto work = [&](int me) {
        data[me] = 1;
        barrier.arrive_and_wait();
        assert(data[1 - me] == 1);
    };
    std::thread a(work, 0);
    work(1);
    a.join();
}
