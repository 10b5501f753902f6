// Calls of the library that C and POSIX let order nothing order nothing: the second thread may read
// the older value although its call comes after the first one's.
// case: CALL=1 => violation assertion
// case: CALL=2 => violation assertion
// case: CALL=3 => violation assertion
#include "orders.h"

#include <stdlib.h>
#include <time.h>

static atomic_int data;
static _Atomic(void *) published;
static int unused_number;

static void *call(void)
{
    void *block = &unused_number;
    if (CALL == 1)
        block = malloc(8);
    else if (CALL == 2)
        srand(7);
    else
        time(NULL);
    return block;
}

static void *first(void *unused)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&published, call(), memory_order_relaxed);
    return unused;
}

static void *second(void *unused)
{
    void *theirs = atomic_load_explicit(&published, memory_order_relaxed);
    if (theirs) {
        void *mine = call();
        if (mine != theirs || CALL > 1)
            assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    }
    return unused;
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
