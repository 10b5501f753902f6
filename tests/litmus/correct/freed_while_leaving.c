// The memory of a condition variable or barrier may be freed once it is destroyed, although threads
// that have been woken have not left it yet: POSIX's own example in pthread_cond_destroy.
// expect: verified
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *changed;
static pthread_barrier_t *together;
static int ready;

static void meet(void)
{
    if (pthread_barrier_wait(together) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(together);
        free(together);
    }
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(changed, &lock);
    pthread_mutex_unlock(&lock);
    meet();
    return unused;
}

int main(void)
{
    pthread_t t;
    changed = malloc(sizeof *changed);
    together = malloc(sizeof *together);
    pthread_cond_init(changed, NULL);
    pthread_barrier_init(together, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(changed);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(changed);
    free(changed);
    meet();
    pthread_join(t, NULL);
    return 0;
}
