/* The first thread waits for the semaphore before anybody has touched it, so it is not known to share
 * it when the second one posts and goes on to take it itself: `shared` never lets the first have it, and
 * misses that the second then waits for ever. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *first(void *unused)
{
    sem_wait(&s);
    return unused;
}

static void *second(void *unused)
{
    sem_post(&s);
    sem_wait(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
    return 0;
}
