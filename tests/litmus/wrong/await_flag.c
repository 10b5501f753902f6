// The flag may be reset before the other thread reads it; that thread then spins for ever.
// expect: violation deadlock
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *producer(void *unused)
{
    atomic_store(&ready, 1);
    atomic_store(&ready, 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    while (!atomic_load(&ready)) /* violation */
        sched_yield();
    pthread_join(a, NULL);
    return 0;
}
