// Main ends while two threads wait, but not for each other: for a lock that main holds.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    pthread_mutex_lock(&b);
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, one, NULL);
    return 0;
}
