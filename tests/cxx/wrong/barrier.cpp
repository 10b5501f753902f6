// A thread arrives without waiting, and reads at once.
// expect: violation data-race
// cc-flags: -std=c++20
#include <barrier>
#include <thread>

static int data, seen;

int main()
{
    std::barrier barrier(2);
    std::thread a([&] {
        data = 1; /* race */
        barrier.arrive_and_wait();
    });
    (void)barrier.arrive();
    seen = data; /* race */
    a.join();
}
