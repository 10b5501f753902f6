// Constructors have run before main, in the order of their priorities.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int stage;

__attribute__((constructor(201))) static void early(void)
{
    assert(stage == 0);
    stage = 1;
}

__attribute__((constructor(202))) static void late(void)
{
    assert(stage == 1);
    stage = 2;
    pthread_mutex_init(&lock, NULL);
}

__attribute__((destructor)) static void last(void) { assert(stage == 4); }

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    stage++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(stage == 2);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(stage == 4);
    return 0;
}
