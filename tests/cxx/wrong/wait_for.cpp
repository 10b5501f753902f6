// expect: violation assertion
// options: --strategy auto
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// Who was notified may still be late: that the time ran out does not mean that nobody came.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static int stage;

int main()
{
    using namespace std::chrono_literals;
    std::thread other([] {
        std::unique_lock<std::mutex> lock(m);
        stage = 1;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        while (stage == 0)
            if (c.wait_for(lock, 100ms) == std::cv_status::timeout)
                assert(stage == 0); /* violation */
    }
    other.join();
}
