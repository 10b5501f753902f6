// A stack of indices with a bare compare-and-swap: the top is the same again, the rest is not.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int top = 1;
static atomic_int next_of[4] = { 0, 2, 3, 0 }; /* 1 -> 2 -> 3 */
static atomic_int taken[4];

static int pop(void)
{
    int node = top;
    if (node == 0)
        return 0;
    int next = next_of[node];
    return atomic_compare_exchange_strong(&top, &node, next) ? node : 0;
}

static void push(int node)
{
    int seen = top;
    next_of[node] = seen;
    atomic_compare_exchange_strong(&top, &seen, node);
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
    for (int node = top; node; node = next_of[node])
        assert(!taken[node]); /* violation */
    return 0;
}
