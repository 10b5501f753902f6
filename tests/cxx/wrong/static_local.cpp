// Two static variables, each made with the other's help: each thread waits for the other.
// expect: violation deadlock
#include <thread>

static int one(int), two(int);

static int one(int depth)
{
    static int value = depth ? 1 : two(depth + 1);
    return value;
}

static int two(int depth)
{
    static int value = depth ? 2 : one(depth + 1);
    return value;
}

int main()
{
    std::thread a([] { one(0); }), b([] { two(0); });
    a.join();
    b.join();
}
