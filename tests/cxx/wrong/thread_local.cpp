// The destructors run at the same time, and what they add to is no atomic.
// expect: violation assertion data-race
#include <cassert>
#include <thread>

static int total;

struct tally {
    int n = 0;
    ~tally() { total += n; }
};

static thread_local tally mine;

static void work() { mine.n++; }

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(total == 2); /* violation */
}
