// A function waits until the other thread has begun, and returns.  That thread comes to the barrier on its stack when it is
// over.  The barrier lets everybody pass, so nothing else tells.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --memory rc11 => violation data-race
// also: --strategy stateful => violation memory
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
    while (!begun)
        ;
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, NULL);
    return 0;
}
