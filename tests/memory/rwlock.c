// A writer's unlock happens before every later lock, a reader's before later writers' locks only.
// WRITES=1: the sections exclude each other: 2 orders, and in each the load reads one value.
// WRITES=0: two readers lock and unlock in 6 orders.  In each the load reads either value, unless
// the second reader has unlocked before the first one locks: then the store comes after it.  11.
// case: WRITES=1 => verified; 2
// case: WRITES=0 => verified; 11
#include "orders.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int data;

static void *first(void *unused)
{
    if (WRITES)
        pthread_rwlock_wrlock(&lock);
    else
        pthread_rwlock_rdlock(&lock);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *second(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int seen = atomic_load_explicit(&data, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
    return seen ? unused : NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
