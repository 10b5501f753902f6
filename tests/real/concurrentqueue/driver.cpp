// moodycamel::ConcurrentQueue: a producer with a token puts two, the consumer takes what is there.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <pthread.h>

struct Small : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 2;
    static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
};

static moodycamel::ConcurrentQueue<int, Small> queue(4, 2, 0);

static void *produce(void *unused)
{
    moodycamel::ProducerToken token(queue);
    for (int i = 1; i <= ITEMS; i++)
        assert(queue.enqueue(token, i));
    return unused;
}

int main()
{
    pthread_t thread;
    int item, last = 0;
    pthread_create(&thread, nullptr, produce, nullptr);
    for (int i = 0; i < ITEMS; i++)
        if (queue.try_dequeue(item))
            assert(item == ++last);
    pthread_join(thread, nullptr);
    while (queue.try_dequeue(item))
        assert(item == ++last);
    assert(last == ITEMS);
    return 0;
}
