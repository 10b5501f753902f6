/* A compare-exchange of both halves after two additions to the low one.  If it finds both it writes
 * the high half, which another thread reads.  It is put in front of an addition where that read
 * sleeps: it then finds the other addition, fails like before, and everything has been explored
 * from where the read came first.
 * The additions commute (--finer rmw): 6 traces.  The exchange comes before both and succeeds (the
 * read before or after it: 2), between them (2), or after both (the read before or after the
 * write: 2).  With their order the first and the last count twice: 10. */
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t both;
    uint32_t half[2];
} x;

static void *read_high(void *unused)
{
    (void)__atomic_load_n(&x.half[1], __ATOMIC_SEQ_CST);
    return unused;
}

static void *add(void *unused)
{
    __atomic_fetch_add(&x.half[0], 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *exchange(void *unused)
{
    uint64_t found = 0;
    if (!__atomic_compare_exchange_n(&x.both, &found, 1ull << 40, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST) &&
        (uint32_t)found == 2)
        __atomic_store_n(&x.half[1], 5, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    void *(*const bodies[])(void *) = { read_high, add, add, exchange };
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
