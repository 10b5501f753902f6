// Nothing but joins follow in a function that qsort calls, and qsort calls it again: then it loads what a thread has left.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;
static pthread_t t[2];
static int left, n, sorted[8];

static void *loads(void *unused)
{
    left = !atomic_load(&x);
    return unused;
}

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static int joins(const void *a, const void *b)
{
    (void)a;
    (void)b;
    if (n == 2 && left)
        abort(); /* violation */
    if (n < 2)
        pthread_join(t[n++], NULL);
    return 0;
}

int main(void)
{
    pthread_create(&t[0], NULL, loads, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    qsort(sorted, sizeof sorted / sizeof *sorted, sizeof *sorted, joins);
    return 0;
}
