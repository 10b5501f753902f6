// A thread frees a barrier as soon as it has passed it.  The other may not have left it yet.  Threads in the order of their
// numbers do not show it: main leaves first.
// expect: violation memory
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(barrier);
    free(barrier);
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
    return 0;
}
