// Structures copied, passed and returned by value under a lock stay whole.
// expect: verified
// executions: 2
// (who locks first)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct record {
    long first, second, padding[6];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record shared;

static struct record next(struct record old)
{
    old.first++;
    old.second++;
    return old;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    shared = next(shared);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    struct record copy = shared;
    assert(copy.first == 2 && copy.second == 2);
    return 0;
}
