/* A lock-free stack: between the read of the top and its exchange another thread pops two
 * nodes and pushes the first again; the exchange succeeds with a stale successor. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int next_of[4] = { 0, 2, 3, 0 };
static atomic_int taken[4];
static atomic_int top = 1;

static int node_of(int word) { return word; }

static int word_for(int old, int node) { return (void)old, node; }

static int pop(void)
{
    int old = top, node = node_of(old);
    if (node == 0)
        return 0;
    int next = next_of[node];
    return atomic_compare_exchange_strong(&top, &old, word_for(old, next)) ? node : 0;
}

static void *other(void *unused)
{
    int a = pop(), b = pop();
    if (a && b) {
        taken[b] = 1;
        int old = top;
        next_of[a] = node_of(old);
        atomic_compare_exchange_strong(&top, &old, word_for(old, a));
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pop();
    pthread_join(t, NULL);
    assert(!taken[node_of(top)]);
}
