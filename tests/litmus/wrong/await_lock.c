// A lock that spins is taken a second time by the thread that has it.
// expect: violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;

static void lock(void)
{
    while (atomic_flag_test_and_set(&flag)) /* violation */
        ;
}

static void *worker(void *unused)
{
    lock();
    atomic_flag_clear(&flag);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    lock();
    lock();
    pthread_join(a, NULL);
    return 0;
}
