// As wrong/freed_by_waker.c, but the condition variable is destroyed before it is freed, which POSIX allows as soon as all that
// waited have been woken.
// expect: verified
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
    pthread_cond_destroy(changed);
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
