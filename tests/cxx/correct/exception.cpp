// An exception unwinds through frames that hold locks; they are free when it is caught.
// expect: verified
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static int caught;

struct error {
    std::string what;
};

static void inner(int n)
{
    std::lock_guard<std::mutex> hold(mutex);
    if (n == 0)
        throw error{ "nothing left" };
    caught += 0;
}

static void outer()
{
    try {
        inner(1);
        inner(0);
        assert(false);
    } catch (const error &e) {
        std::lock_guard<std::mutex> hold(mutex);
        assert(e.what == "nothing left");
        caught++;
    }
}

int main()
{
    std::thread a(outer), b(outer);
    a.join();
    b.join();
    assert(caught == 2);
}
