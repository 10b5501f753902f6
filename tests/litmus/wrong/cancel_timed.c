// The thread is cancelled before the call of sem_timedwait, or while it waits there: the mark is looked
// at in the step of the call, not only before it.
// expect: violation assertion
// options: --keep-going
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
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
    sem_timedwait(&sem, &late);
    return unused;
}

int main(void)
{
    pthread_t a;
    void *result;
    sem_init(&sem, 0, 1);
    pthread_create(&a, NULL, waits, NULL);
    while (!atomic_load(&called))
        continue;
    pthread_cancel(a);
    pthread_join(a, &result);
    assert(result == NULL); /* violation */
    return 0;
}
