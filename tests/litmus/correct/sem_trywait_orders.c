// Who takes a semaphore comes after its post.
// expect: verified
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t sem;

static void *publish(void *unused)
{
    data = 42;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, 0, publish, 0);
    if (sem_trywait(&sem) == 0)
        seen = data;
    pthread_join(thread, 0);
    return seen != 42;
}
