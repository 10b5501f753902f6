// As wrong/freed_barrier.c, but the barrier is freed when the other thread has ended.
// expect: verified
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(barrier);
    return unused;
}

int main(void)
{
    pthread_t t;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(barrier);
    pthread_join(t, NULL);
    free(barrier);
    return 0;
}
