/* A worker that is told to stop leaves without passing the barrier at which the other
 * waits. */
// expect: violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t phase;
static atomic_int stop;

static void *work(void *unused)
{
    if (stop)
        return unused;
    pthread_barrier_wait(&phase);
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
