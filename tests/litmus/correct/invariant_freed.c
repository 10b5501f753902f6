// It is out of reach before it is freed.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic level;

static int not_negative(void)
{
    const int *at = level;
    return !at || *at >= 0;
}

static void *take_away(void *unused)
{
    int *old = level;
    level = NULL;
    free(old);
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
