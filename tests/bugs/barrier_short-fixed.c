/* barrier_short.c, repaired. It passes the barrier all the same. */
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t phase;
static atomic_int stop;

static void *work(void *unused)
{
    pthread_barrier_wait(&phase);
    if (stop)
        return unused;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    stop = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
