// A thread that a constructor creates is one of the program's.
// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static int hits;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return unused;
}

__attribute__((constructor(300))) static void second(void)
{
    assert(hits == 10);
    pthread_create(&helper, 0, work, 0);
    work(0);
}

__attribute__((constructor(200))) static void first(void) { hits = 10; }

int main(void)
{
    pthread_join(helper, 0);
    assert(hits == 12);
    return 0;
}
