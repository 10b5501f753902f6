// Two locks taken in opposite orders.
// expect: violation deadlock
// also: --reduce none => violation deadlock
// also: --preemptions 1 => violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ab(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *ba(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, ab, NULL);
    pthread_create(&u, NULL, ba, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
