/* Initialisation once, by hand: who comes second goes on although the first is still at it. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int table[2];
static atomic_int begun;

static void fill(void)
{
    table[0] = 1;
    table[1] = 2;
}

static void *use(void *unused)
{
    if (!atomic_exchange(&begun, 1))
        fill();
    assert(table[1] == 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
