// A wait for a condition variable may end without a signal.  The verdict names the waits after which the program does not
// check its condition again, and no others: those with a predicate do.
// expect: verified
#include <chrono>
#include <condition_variable>
#include <heddle.h>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex m;
static std::condition_variable cond;
static std::condition_variable_any any;
static int ready, taken;

static void wait_for_it(int form, const bool &done)
{
    std::unique_lock<std::mutex> lock(m);
    auto is_ready = [] { return ready != 0; };
    switch (form) {
    case 0:
        while (!ready)
            cond.wait(lock);
        break;
    case 1:
        cond.wait(lock, is_ready);
        break;
    case 2:
        cond.wait(lock, [&] { return done; });
        break;
    case 3:
        if (cond.wait_for(lock, 1s, is_ready))
            taken++;
        break;
    case 4:
        if (!cond.wait_until(lock, std::chrono::steady_clock::now() + 1s, is_ready))
            taken++;
        break;
    case 5:
        while (!ready)
            if (cond.wait_for(lock, 1s) == std::cv_status::timeout)
                break;
        taken++;
        break;
    case 6:
        any.wait(lock, is_ready);
        break;
    case 7:
        while (!ready)
            any.wait(lock);
        break;
    case 8:
        if (!ready)
            cond.wait(lock); /* signalled */
        break;
    case 9:
        if (!ready && cond.wait_for(lock, 1s) == std::cv_status::no_timeout) /* signalled */
            taken++;
        break;
    case 10:
        if (!ready)
            any.wait(lock); /* signalled */
        taken++;
        break;
    }
}

int main()
{
    int form = heddle_choose(11);
    bool done = false;
    std::thread t([&] { wait_for_it(form, done); });
    {
        std::lock_guard<std::mutex> lock(m);
        ready = 1;
        done = true;
        cond.notify_all();
        any.notify_all();
    }
    t.join();
}
