// The thread is not joined when the exception is thrown: its destructor calls std::terminate().
// expect: violation abort
#include <atomic>
#include <thread>

static std::atomic<int> x;

int main()
{
    std::thread t([] { x = 1; });
    try {
        if (x.load())
            throw 1;
        t.join();
    } catch (int) {
    }
}
