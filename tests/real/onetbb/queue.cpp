// tbb::concurrent_queue: another thread and main push one element each, main takes one.  Each comes out once.
#include <tbb/concurrent_queue.h>

#include <cassert>
#include <thread>

static tbb::concurrent_queue<int> queue;

int main()
{
    std::thread other([] { queue.push(1); });
    queue.push(2);
    int first = 0, second = 0, third = 0;
    assert(queue.try_pop(first));
    other.join();
    assert(queue.try_pop(second) && !queue.try_pop(third));
    assert(first + second == 3 && first * second == 2);
}
