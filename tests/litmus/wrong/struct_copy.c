// A structure is copied while a thread is between the writes of two of its fields.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct record {
    long first, second, padding[6];
};

static struct record shared;

static void *work(void *unused)
{
    shared.first = 1;
    shared.second = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    struct record copy = shared;
    assert(copy.first == copy.second); /* violation */
    pthread_join(t, NULL);
    return 0;
}
