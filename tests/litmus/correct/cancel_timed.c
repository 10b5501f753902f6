// Whether it was cancelled or not, a thread in sem_timedwait takes the unit and gives it back, or takes nothing.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static const struct timespec late = { 5000000000, 0 };
static sem_t sem;
static atomic_int called;

static void *waits(void *unused)
{
    atomic_store(&called, 1);
    if (sem_timedwait(&sem, &late) == 0)
        sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t a;
    void *result;
    int value;
    sem_init(&sem, 0, 1);
    pthread_create(&a, NULL, waits, NULL);
    while (!atomic_load(&called))
        continue;
    pthread_cancel(a);
    pthread_join(a, &result);
    sem_getvalue(&sem, &value);
    assert(value == 1 && (result == NULL || result == PTHREAD_CANCELED));
    return 0;
}
