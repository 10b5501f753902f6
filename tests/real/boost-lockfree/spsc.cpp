// boost::lockfree::spsc_queue: what is taken is what was put, in its order.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <pthread.h>

static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;

static void *produce(void *unused)
{
    (void)unused;
    long sent = 0;
    for (int i = 1; i <= 3; i++)
        sent += queue.push(i);
    return reinterpret_cast<void *>(sent);
}

int main()
{
    pthread_t thread;
    void *sent;
    int item, last = 0, taken = 0;
    pthread_create(&thread, nullptr, produce, nullptr);
    for (int i = 0; i < 2; i++)
        if (queue.pop(item)) {
            assert(item > last);
            last = item;
            taken++;
        }
    pthread_join(thread, &sent);
    while (queue.pop(item)) {
        assert(item > last);
        last = item;
        taken++;
    }
    assert(taken == static_cast<int>(reinterpret_cast<long>(sent)) && taken >= 2);
    return 0;
}
