/* A cache hands out an object whose last owner is just giving it up. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owners = 1, alive = 1;

static int get(void)
{
    if (owners == 0)
        return 0;
    owners++;
    return 1;
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
