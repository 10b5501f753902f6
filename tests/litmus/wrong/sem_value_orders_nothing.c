// The value of a semaphore shows that it was posted, and orders nothing.
// expect: violation data-race
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t sem;

static void *publish(void *unused)
{
    data = 42; /* race */
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, 0, publish, 0);
    int value;
    sem_getvalue(&sem, &value);
    if (value)
        seen = data; /* race */
    pthread_join(thread, 0);
    return seen != 42;
}
