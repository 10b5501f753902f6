// expect: verified
// An exception leaves the array of `fails`, and the one of `all_zero` lies where it was.  All of that
// one has a value.
#include <cassert>
#include <stdexcept>
#include <thread>

static bool is_set(const int *at)
{
    if (*at)
        return true;
    return false;
}

static void fails()
{
    int some[8];
    some[0] = 1;
    if (is_set(&some[0]))
        throw std::runtime_error("set");
}

static bool all_zero()
{
    int none[8] = { 0 };
    for (int i = 0; i < 8; i++)
        if (is_set(&none[i]))
            return false;
    return true;
}

int main()
{
    std::thread t([] {
        try {
            fails();
        } catch (const std::exception &) {
        }
        assert(all_zero());
    });
    t.join();
    return 0;
}
