// An invariant that ends the process hides what would come: the abort after it.
// expect: violation misuse
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
// also: --strategy brute => violation misuse
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;

static int in_range(void)
{
    if (n > 1)
        exit(0); /* violation */
    return 1;
}

static void *count(void *unused)
{
    n = 1;
    n = 2;
    abort();
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(in_range);
    pthread_create(&t, NULL, count, NULL);
    pthread_join(t, NULL);
    return 0;
}
