// std::async, a promise, an exception that travels through a future.
// expect: verified
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread a([&promise] { promise.set_value(42); });
    auto fails = std::async(std::launch::async, []() -> int { throw std::out_of_range("far"); });
    assert(answer.get() == 42);
    a.join();
    try {
        fails.get();
        assert(false);
    } catch (const std::out_of_range &) {
    }
}
