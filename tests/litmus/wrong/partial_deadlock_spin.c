// A reader and a thread that spins wait for each other, while a third thread goes on for as long as it
// is told to.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t b;
static atomic_int done;

static void *one(void *unused)
{
    pthread_rwlock_wrlock(&a);
    pthread_spin_lock(&b); /* violation */
    pthread_spin_unlock(&b);
    pthread_rwlock_unlock(&a);
    return unused;
}

static void *other(void *unused)
{
    pthread_spin_lock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_spin_unlock(&b);
    return unused;
}

static void *third(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t x, y, z;
    pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, other, NULL);
    pthread_create(&z, NULL, third, NULL);
    pthread_join(z, NULL);
    return 0;
}
