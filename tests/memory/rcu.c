// Read-copy-update by quiescent states: a reader uses what is published, and then announces that it
// uses nothing any more.  The writer publishes a new version, and waits for that before the old
// one goes.
//
// case: P=release R=acquire Q=release W=acquire N=1 => verified
// case: P=release R=acquire Q=release W=acquire N=2 => verified
// case: P=relaxed R=acquire Q=release W=acquire N=1 => violation data-race
// case: P=release R=relaxed Q=release W=acquire N=1 => violation data-race
// case: P=release R=acquire Q=relaxed W=acquire N=1 => violation data-race
// case: P=release R=acquire Q=release W=relaxed N=1 => violation data-race
#include "orders.h"

static struct version {
    int a, b;
} versions[2];
static struct version *_Atomic current = &versions[0];
static atomic_int quiet[2];

static void use(int reader)
{
    struct version *v = load(current, R);
    assert(v->a == v->b);
    store(quiet[reader], 1, Q);
}

static void *reader(void *unused)
{
    use(0);
    return unused;
}

#if N == 2
static void *second_reader(void *unused)
{
    use(1);
    return unused;
}
#endif

static void *writer(void *unused)
{
    versions[1] = (struct version){ 1, 1 };
    store(current, &versions[1], P);
    for (int i = 0; i < N; i++)
        while (!load(quiet[i], W))
            ;
    versions[0].a = -1;
    return unused;
}

int main(void)
{
#if N == 2
    run(reader, second_reader, writer);
#else
    run(reader, writer);
#endif
}
