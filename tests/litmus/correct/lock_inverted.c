// Two locks taken in opposite orders, and no deadlock: a semaphore lets the second thread begin when the
// first has given both back.  It is a warning.
// expect: verified
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); /* inverted */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    sem_post(&turn);
    return unused;
}

static void *other(void *unused)
{
    sem_wait(&turn);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); /* inverted */
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    sem_init(&turn, 0, 0);
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, other, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
