// The pointer carries a number in the bits that addresses leave free: whoever exchanges the
// configuration counts it up, so an address that comes back is told apart.
// expect: verified
// also: --strategy stateful => verified
// also: --reuse all => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct config {
    long value;
};
static _Atomic uintptr_t current; /* the address, and above it the number */
static int replaced;              /* the first configuration, by the other thread */
#define ADDRESS ((1ull << 48) - 1)

static void *update(void *unused)
{
    for (uintptr_t i = 0; i < 2; i++) {
        struct config *fresh = malloc(sizeof *fresh);
        fresh->value = (long)i;
        uintptr_t old = atomic_exchange(&current, (uintptr_t)fresh | (i + 1) << 48);
        if (i == 0 && old)
            replaced = 1;
        free((void *)(old & ADDRESS));
    }
    return unused;
}

int main(void)
{
    struct config *first = malloc(sizeof *first);
    pthread_t id;
    first->value = -1;
    atomic_store(&current, (uintptr_t)first);
    pthread_create(&id, NULL, update, NULL);
    uintptr_t old = (uintptr_t)first;
    int taken = atomic_compare_exchange_strong(&current, &old, 0);
    pthread_join(id, NULL);
    assert(!(taken && replaced));
    return 0;
}
