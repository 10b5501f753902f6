// boost::lockfree::queue (or stack) of a fixed size: two threads put, one takes; nothing is lost or taken twice.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <pthread.h>

static boost::lockfree::KIND<int, boost::lockfree::capacity<4>> items;

static void *produce(void *value)
{
    assert(items.push(static_cast<int>(reinterpret_cast<long>(value))));
    return nullptr;
}

int main()
{
    pthread_t a, b;
    int item, sum = 0;
    pthread_create(&a, nullptr, produce, reinterpret_cast<void *>(1));
    pthread_create(&b, nullptr, produce, reinterpret_cast<void *>(2));
    if (items.pop(item))
        sum += item;
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    while (items.pop(item))
        sum += item;
    assert(sum == 3);
    return 0;
}
