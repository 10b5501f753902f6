// Two rounds of two threads, each with a lock among the variables of the function: a recursive one, then
// a normal one at the same address, which the first round has left locked.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct round {
    pthread_mutex_t lock;
    int n;
};

static void *work(void *arg)
{
    struct round *r = arg;
    pthread_mutex_lock(&r->lock);
    r->n++;
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

__attribute__((noinline)) static void play(struct round r)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &r);
    pthread_create(&b, NULL, work, &r);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r.n == 2);
    pthread_mutex_lock(&r.lock);
}

int main(void)
{
    play((struct round){ PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, 0 });
    play((struct round){ PTHREAD_MUTEX_INITIALIZER, 0 });
    return 0;
}
