// treiber_aba of the wrong ones with a version in the upper bits of the top, which every change raises: a top with the
// address of the first node has another version, and the swap fails.
// expect: verified
// also: --strategy stateful => verified
// also: --reuse all => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define ADDRESS ((UINT64_C(1) << 48) - 1)

struct node {
    long value;
};

static _Atomic uint64_t top;
static struct node *_Atomic next_of[2];
static atomic_int freed[2];
static struct node *_Atomic address[2];

static struct node *node_of(uint64_t tagged)
{
    return (struct node *)(uintptr_t)(tagged & ADDRESS);
}

static uint64_t after(uint64_t tagged, struct node *node)
{
    return ((tagged | ADDRESS) + 1) | (uint64_t)(uintptr_t)node;
}

static void *other(void *unused)
{
    uint64_t seen = top;
    struct node *first = node_of(seen), *second = next_of[0];
    if (first != address[0] || !atomic_compare_exchange_strong(&top, &seen, after(seen, second)))
        return unused; /* main was first */
    seen = after(seen, second);
    if (!atomic_compare_exchange_strong(&top, &seen, after(seen, NULL)))
        return unused;
    freed[1] = 1;
    free(second);
    free(first);
    struct node *third = malloc(sizeof *third);
    if (third)
        top = after(after(seen, NULL), third);
    return unused;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        address[i] = malloc(sizeof(struct node));
    next_of[0] = address[1];
    top = (uint64_t)(uintptr_t)address[0];
    uint64_t seen = top;
    struct node *next = next_of[0];
    pthread_create(&t, NULL, other, NULL);
    if (atomic_compare_exchange_strong(&top, &seen, after(seen, next)))
        assert(!freed[1]);
    pthread_join(t, NULL);
    return 0;
}
