// As livelock_polite beside it, but the second gives way and the first does not: while the first waits
// the second takes its word back, and once it has not, the first gets through.  The second may be
// overtaken as often as the first comes, which is twice.
// expect: verified
// options: --strategy stateful
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2];

static void *first(void *unused)
{
    for (int i = 0; i < 2; i++) {
        atomic_store(&want[0], 1);
        while (atomic_load(&want[1]))
            ;
        atomic_store(&want[0], 0);
    }
    return unused;
}

static void *second(void *unused)
{
    for (;;) {
        atomic_store(&want[1], 1);
        if (!atomic_load(&want[0]))
            break;
        atomic_store(&want[1], 0);
        while (atomic_load(&want[0]))
            ;
    }
    atomic_store(&want[1], 0);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
