// Waiting for a result while holding the lock that its maker needs.
// expect: violation deadlock
#include <future>
#include <mutex>

int main()
{
    std::mutex mutex;
    auto result = std::async(std::launch::async, [&mutex] {
        std::lock_guard<std::mutex> hold(mutex);
        return 1;
    });
    std::lock_guard<std::mutex> hold(mutex);
    return result.get() != 1;
}
