// Opposite orders, but not at the same time: the thread that has the one is joined before another has the
// other, and a trylock does not wait.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *other(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, one, NULL);
    pthread_join(x, NULL);
    pthread_create(&y, NULL, other, NULL);
    pthread_mutex_lock(&c);
    if (pthread_mutex_trylock(&a) == 0)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
    pthread_join(y, NULL);
    return 0;
}
