// Whoever lets go last destroys the object, once.
// expect: verified
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> alive;

struct object {
    int value = 7;
    object() { alive++; }
    ~object() { alive--; }
};

int main()
{
    auto mine = std::make_shared<object>();
    std::thread a([copy = mine] { assert(copy->value == 7 && alive == 1); });
    std::thread b([weak = std::weak_ptr<object>(mine)] {
        if (auto copy = weak.lock())
            assert(copy->value == 7 && alive == 1);
    });
    mine.reset();
    a.join();
    b.join();
    assert(alive == 0);
}
