/* nested_monitor.c, repaired. The outer lock is given back before the wait. */
// expect: verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *produce(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&outer);
    while (items == 0)
        pthread_cond_wait(&filled, &inner);
    items--;
    pthread_mutex_unlock(&inner);
    pthread_join(t, NULL);
}
