// A thread wakes the one that waits, and frees the condition variable at once.  The library may still use it on behalf of the
// thread that was woken and has not left.  Threads in the order of their numbers do not show it: main leaves first.
// expect: violation memory
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *changed;
static int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(changed);
    pthread_mutex_unlock(&lock);
    free(changed);
    return unused;
}

int main(void)
{
    pthread_t t;
    changed = malloc(sizeof *changed);
    pthread_cond_init(changed, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
