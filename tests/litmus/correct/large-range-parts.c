// expect: verified
// executions: 1
// Two threads fill the two halves of a block that is no multiple of anything: nothing conflicts.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ((1u << 20) + 77)
#define CUT 345679u

static char *block;

static void *low(void *arg)
{
    memset(block, 1, CUT);
    return arg;
}

static void *high(void *arg)
{
    memset(block + CUT, 2, BYTES - CUT);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(BYTES);
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
    return 0;
}
