/* Two polite threads: each gives its lock back when it does not get the other's. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *polite(void *arg)
{
    pthread_mutex_t *first = arg ? &left : &right, *second = arg ? &right : &left;
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, polite, &a);
    pthread_create(&b, 0, polite, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
