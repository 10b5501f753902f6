// As wrong/barrier_left.c, but the function stays until the other thread has ended.
// expect: verified
// also: --memory rc11 => verified
// also: --strategy stateful => verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun;

static void *work(void *arg)
{
    begun = 1;
    pthread_barrier_wait(arg);
    return NULL;
}

static void start(pthread_t *t)
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_create(t, NULL, work, &barrier);
    pthread_join(*t, NULL);
}

int main(void)
{
    pthread_t t;
    start(&t);
    return 0;
}
