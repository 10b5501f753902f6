// Two locals of one function whose scopes do not overlap, the first one in a function that is inlined:
// they may lie in the same place, and zones beside the first are gone when the second begins.
// expect: verified
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct alignas(4) Tagged {
    uint16_t index = 0, tag = 0;
    Tagged() noexcept = default;
    explicit Tagged(uint16_t i, uint16_t t = 0) : index(i), tag(t) {}
};

struct Array {
    char bytes[96];
    void fill(const char &value) { std::fill_n(bytes, 96, value); }
};

struct Storage {
    Array data;
    Storage() { data.fill(0); }
};

struct Pool : Storage {
    std::atomic<Tagged> first;
    explicit Pool(unsigned long n) : first(Tagged((uint16_t)n, 0))
    {
        for (int i = 0; i < 4; i++)
            put(i);
    }
    void put(int i)
    {
        Tagged old = first.load();
        for (;;) {
            Tagged next((uint16_t)i, old.tag);
            reinterpret_cast<Tagged *>(data.bytes + 8 * i)->index = old.index;
            if (first.compare_exchange_weak(old, next))
                return;
        }
    }
};

struct Stack {
    std::atomic<Tagged> top;
    char padding[60];
    Pool pool;
    Stack() : top(Tagged(4, 0)), pool(4) {}
};

static Stack stack;

int main()
{
    std::thread t([] { assert(stack.pool.first.load().index == 3); });
    t.join();
}
