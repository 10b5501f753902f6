// Addresses that malloc gives out again.  A thread that replaces an object, and frees the old one, may get its address again for the next one
// (ABA): to a compare-exchange of the pointer nothing has happened.
//
// HOW=1: the pointer alone is compared, and nobody reads what was freed.  HOW=2: with a counter beside it, which every replacement
// increments.  HOW=3: what is replaced is freed after the threads have been joined, so that no address comes back.
// HOW=4: a new block may have the address of one that another thread frees; nothing orders the two.
// case: HOW=1 => violation assertion
// case: HOW=2 => verified
// case: HOW=3 => verified
// case: HOW=4 => violation assertion
// case: HOW=1 memory=tso => violation assertion
// case: HOW=2 memory=tso => verified
// case: HOW=3 memory=tso => verified
// case: HOW=4 memory=tso => violation assertion
// case: HOW=1 memory=sc => violation assertion
// case: HOW=2 memory=sc => verified
// case: HOW=3 memory=sc => verified
// case: HOW=4 memory=sc => violation assertion
#include "orders.h"

#include <stdint.h>
#include <stdlib.h>

struct object {
    int value;
};

#if HOW == 4
static struct object *old;

static void *make_other(void *unused)
{
    struct object *o = malloc(sizeof *o);
    assert(o != old);
    free(o);
    return unused;
}

static void *end(void *unused)
{
    free(old);
    return unused;
}

int main(void)
{
    old = malloc(sizeof *old);
    run(make_other, end);
}
#else
#if HOW == 2
#define NEXT(tagged) (((tagged) >> 48) + 1) << 48
#else
#define NEXT(tagged) 0
#endif

static _Atomic uint64_t current;
static atomic_int replaced;
static struct object *retired[2];

static uint64_t make(uint64_t tag)
{
    struct object *o = malloc(sizeof *o);
    o->value = 0;
    return (uint64_t)o | tag;
}

static void *replace(void *unused)
{
    for (int i = 0; i < 2; i++) {
        uint64_t old = atomic_load(&current);
        if (!atomic_compare_exchange_strong(&current, &old, make(NEXT(old))))
            break;
        atomic_fetch_add(&replaced, 1);
        struct object *o = (struct object *)(old << 16 >> 16);
        if (HOW == 3)
            retired[i] = o;
        else
            free(o);
    }
    return unused;
}

static void *expect(void *unused)
{
    uint64_t old = atomic_load(&current);
    int before = atomic_load(&replaced);
    if (before == 0 && atomic_load(&replaced) == 2 &&
        atomic_compare_exchange_strong(&current, &old, 0))
        assert(0);
    return unused;
}

int main(void)
{
    current = make(0);
    run(replace, expect);
    for (int i = 0; i < 2; i++)
        free(retired[i]);
}
#endif
