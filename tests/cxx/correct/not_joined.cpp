// The thread is joined whether or not the exception is thrown.
// expect: verified
#include <atomic>
#include <thread>

static std::atomic<int> x;

int main()
{
    std::thread t([] { x = 1; });
    try {
        if (x.load())
            throw 1;
    } catch (int) {
    }
    t.join();
}
