// Two different conditions share one condition variable: the signal may wake the wrong one.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int odd_ready, even_ready;

static void await(int *flag)
{
    pthread_mutex_lock(&lock);
    while (!*flag)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void announce(int *flag)
{
    pthread_mutex_lock(&lock);
    *flag = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *odd(void *unused)
{
    await(&odd_ready);
    announce(&even_ready);
    return unused;
}

static void *even(void *unused)
{
    await(&even_ready);
    return unused;
}

int main(void)
{
    pthread_t o, e;
    pthread_create(&o, NULL, odd, NULL);
    pthread_create(&e, NULL, even, NULL);
    announce(&odd_ready);
    pthread_join(o, NULL);
    pthread_join(e, NULL);
    return 0;
}
