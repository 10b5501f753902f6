// Two owners and a weak pointer give up an object; whoever is last destroys it.  The counts of the
// shared pointer order the last access of each owner before that.
// expect: verified
// orders: weak
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> looks;

int main()
{
    auto owner = std::make_shared<int>(7);
    std::weak_ptr<int> weak = owner;
    std::thread other([weak] {
        looks.fetch_add(1, std::memory_order_relaxed);
        if (auto value = weak.lock())
            assert(*value == 7);
    });
    owner.reset();
    other.join();
    assert(weak.expired());
}
