// Both owners change the object that they share, and nothing orders that.
// expect: violation data-race
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int> looks;

int main()
{
    auto owner = std::make_shared<int>(7);
    std::thread other([mine = owner] {
        looks.fetch_add(1, std::memory_order_relaxed);
        ++*mine;
    });
    ++*owner;
    owner.reset();
    other.join();
}
