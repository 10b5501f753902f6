// Two threads that nobody waits for take two locks in opposite orders; main does not notice, and ends.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); /* violation */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *other(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, other, NULL);
    pthread_mutex_lock(&work);
    pthread_mutex_unlock(&work);
    return 0;
}
