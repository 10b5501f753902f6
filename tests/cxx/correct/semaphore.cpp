// A semaphore passes data on.  (One that is taken and released in turns may lose a wake-up in
// libstdc++ before version 13: it sleeps although the counter is positive.)
// expect: verified
// also: --memory tso => verified
// orders: weak
// cc-flags: -std=c++20
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> full(0);
static int data;

int main()
{
    std::thread a([] {
        data = 1;
        full.release();
    });
    full.acquire();
    assert(data == 1);
    a.join();
}
