// A thread that joins one that waits for ever is cancelled; then main joins both.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;

static void *waiter(void *unused)
{
    sem_wait(&sem);
    return unused;
}

static pthread_t w;

static void *joiner(void *unused)
{
    pthread_join(w, NULL);
    return unused;
}

int main(void)
{
    pthread_t j;
    void *result;
    sem_init(&sem, 0, 0);
    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&j, NULL, joiner, NULL);
    pthread_cancel(j);
    pthread_join(j, &result);
    assert(result == PTHREAD_CANCELED);
    sem_post(&sem);
    pthread_join(w, NULL);
    return 0;
}
