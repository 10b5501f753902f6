// The same stack with a version beside the top, swapped together in 16 bytes.
// expect: verified
// cc-flags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

union head {
    __int128 whole;
    struct {
        int64_t node, version;
    };
};

static _Atomic __int128 top = 1;
static atomic_int next_of[4] = { 0, 2, 3, 0 };
static atomic_int taken[4];

static int pop(void)
{
    union head old = { .whole = top }, new;
    if (old.node == 0)
        return 0;
    new.node = next_of[old.node];
    new.version = old.version + 1;
    __int128 expected = old.whole;
    return atomic_compare_exchange_strong(&top, &expected, new.whole) ? (int)old.node : 0;
}

static int push(int node)
{
    union head old = { .whole = top }, new = { .node = node, .version = old.version + 1 };
    next_of[node] = (int)old.node;
    __int128 expected = old.whole;
    return atomic_compare_exchange_strong(&top, &expected, new.whole);
}

static void *other(void *unused)
{
    int a = pop();
    int b = pop();
    if (b)
        taken[b] = 1;
    if (a)
        push(a);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pop();
    pthread_join(t, NULL);
    union head end = { .whole = top };
    for (int node = (int)end.node; node; node = next_of[node])
        assert(!taken[node]);
    return 0;
}
