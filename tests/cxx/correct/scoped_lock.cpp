// Two mutexes in both orders: std::scoped_lock gives back what it has when it does not get the other, and
// gets both in the end.
// expect: verified
// options: --strategy stateful
// cc-flags: -std=c++17
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

int main()
{
    std::thread first([] {
        std::scoped_lock hold(a, b);
        n++;
    });
    std::thread second([] {
        std::scoped_lock hold(b, a);
        n++;
    });
    first.join();
    second.join();
    assert(n == 2);
    return 0;
}
