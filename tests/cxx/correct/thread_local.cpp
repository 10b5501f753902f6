// Each thread has its own object, made when it is first used and destroyed at the thread's end.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> total, made;

struct tally {
    int n = 0;
    tally() { made++; }
    ~tally() { total += n; }
};

static thread_local tally mine;

static void work()
{
    mine.n++;
    mine.n++;
    assert(mine.n == 2);
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(total == 4 && made == 2);
}
