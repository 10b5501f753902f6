// One count is missing: the wait never ends.
// expect: violation deadlock
// also: --memory tso => violation deadlock
// cc-flags: -std=c++20
#include <latch>
#include <thread>

int main()
{
    std::latch latch(2);
    std::thread a([&] { latch.count_down(); });
    latch.wait(); /* violation */
    a.join();
}
