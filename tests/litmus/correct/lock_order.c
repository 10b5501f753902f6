// Two locks always taken in the same order.
// expect: verified
// executions: 2
// (who takes the first lock first)
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

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, ab, NULL);
    pthread_create(&u, NULL, ab, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
