// The initialisation of a static variable happens once, and who comes second waits for it.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made;

struct table {
    int first, second;
    table() : first(1)
    {
        made++;
        second = 2;
    }
};

static const table &the_table()
{
    static table t;
    return t;
}

static void use()
{
    const table &t = the_table();
    assert(t.first == 1 && t.second == 2);
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(made == 1);
}
