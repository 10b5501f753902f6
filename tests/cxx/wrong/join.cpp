// The destructor of a thread that nobody has joined ends the program.
// expect: violation abort
#include <atomic>
#include <thread>

static std::atomic<bool> done;

int main()
{
    std::thread a([] { done = true; });
    if (!done)
        a.join();
}
