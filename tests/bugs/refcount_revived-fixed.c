/* refcount_revived.c, repaired. A count of zero is never raised again. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owners = 1, alive = 1;

static int get(void)
{
    int now = owners;
    while (now != 0)
        if (atomic_compare_exchange_strong(&owners, &now, now + 1))
            return 1;
    return 0;
}

static void *drop(void *unused)
{
    if (atomic_fetch_sub(&owners, 1) == 1)
        alive = 0;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, drop, NULL);
    if (get()) {
        assert(alive);
        drop(NULL);
    }
    pthread_join(t, NULL);
}
