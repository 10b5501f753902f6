// An exception that nobody in the thread catches ends the program, if the other thread was first.
// expect: violation abort
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> closed;

static void work()
{
    if (closed)
        throw std::runtime_error("closed");
}

int main()
{
    std::thread a(work);
    closed = true;
    a.join();
}
