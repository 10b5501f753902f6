// The invariant only reads, and the program ends by itself.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy brute => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;

static int in_range(void) { return n >= 0 && n <= 2; }

static void *count(void *unused)
{
    n = 1;
    n = 2;
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
