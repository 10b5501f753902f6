/* What JPF's reduction misses (Noonan's thesis, Fig. 3.2, where the case is hypothetical).
 *
 * The error: the second thread writes a = 1, the first one sees that and writes a = 2, and the
 * second one reads a = 2 and then b, before the first one has written b.  The first access of b
 * comes when nobody knows that b is shared, so no thread is tried before it.  That another thread
 * reads b is learnt on that path; with a store of states (jpf:states, which is what JPF does) no
 * later path comes there again.  Accesses are atomic, so that the program has no data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, b;

static void *first(void *unused)
{
    (void)unused;
    if (a == 1)
        a = 2;
    b = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    a = 1;
    if (a == 2)
        assert(b == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
