// std::atomic of every size, with its default order; a compare-exchange loop; atomic_flag.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> flag;
static std::atomic<char> c;
static std::atomic<short> s;
static std::atomic<int> i;
static std::atomic<long> l;
static std::atomic<int *> p;
static std::atomic_flag spin = ATOMIC_FLAG_INIT;

static void work()
{
    int seen = i.load();
    while (!i.compare_exchange_weak(seen, seen + 1))
        ;
    l.fetch_add(2);
}

int main()
{
    static int target[2];
    p = target;
    std::thread a(work), b(work);
    c++;
    s -= 2;
    p++;
    flag.store(true);
    assert(!spin.test_and_set());
    a.join();
    b.join();
    assert(i == 2 && l == 4 && c == 1 && s == -2 && p == target + 1 && flag);
}
