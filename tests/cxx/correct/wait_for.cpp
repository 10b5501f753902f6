// expect: verified
// options: --strategy auto
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => verified
// Waiting by turns of a tenth of a second, with a predicate and without.
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
        while (stage != 2)
            c.wait_for(lock, 100ms);
    });
    {
        std::unique_lock<std::mutex> lock(m);
        while (!c.wait_for(lock, 100ms, [] { return stage == 1; })) {}
        stage = 2; // the other looks now and then
    }
    other.join();
}
