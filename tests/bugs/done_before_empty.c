/* A consumer finds the queue empty and then the producer done: an item came in between. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int items, done, consumed;

static void *produce(void *unused)
{
    items++;
    done = 1;
    return unused;
}

static int drain(void)
{
    int n = atomic_exchange(&items, 0);
    consumed += n;
    return n;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    int empty = !drain(), over = done;
    if (!(empty && over)) {
        pthread_join(t, NULL);
        drain();
    } else {
        pthread_join(t, NULL);
    }
    assert(consumed == 1);
}
