// A plain load that takes part in a data race decides which operations its thread does. The search goes on
// after the race: what it has executed so far need not come about again. Where the plain load reads 1 as a relaxed one
// would, nothing orders the second thread after the first: its load of done may read 0, and the signal may come before the wait.
// options: --memory rc11 --keep-going
// expect: violation data-race deadlock
// also: --memory rc11 --races warn => violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int chosen;
static atomic_int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *first(void *unused)
{
    atomic_fetch_add_explicit(&done, 3, memory_order_relaxed);
    __atomic_fetch_add(&chosen, 1, __ATOMIC_ACQUIRE);
    return unused;
}

static void *second(void *unused)
{
    if (chosen == 1) {
        pthread_mutex_lock(&lock);
        if (atomic_load_explicit(&done, memory_order_relaxed) == 0)
            pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    } else {
        atomic_store_explicit(&done, 3, memory_order_release);
    }
    return unused;
}

static void *third(void *unused)
{
    int expected = 0;
    pthread_cond_signal(&ready); /* lost */
    __atomic_compare_exchange_n(&chosen, &expected, 3, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
