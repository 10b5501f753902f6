// The semaphore lets two threads in.
// expect: violation data-race
// cc-flags: -std=c++20
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> two(2);
static int counter;

static void work()
{
    two.acquire();
    counter++; /* race */
    two.release();
}

int main()
{
    std::thread a(work);
    work();
    a.join();
}
