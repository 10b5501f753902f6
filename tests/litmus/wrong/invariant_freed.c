// What the invariant reads is freed before it is out of reach: the invariant is where that shows.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --strategy stateful => violation memory
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic level;

static int not_negative(void)
{
    const int *at = level;
    return !at || *at >= 0; /* violation */
}

static void *take_away(void *unused)
{
    int *old = level;
    free(old);
    level = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    int *first = malloc(sizeof *first);
    *first = 1;
    level = first;
    heddle_invariant(not_negative);
    pthread_create(&t, NULL, take_away, NULL);
    pthread_join(t, NULL);
    return 0;
}
