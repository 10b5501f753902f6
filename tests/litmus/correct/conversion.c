// Where a number ends is written where the program says, and nowhere else.
// expect: verified
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const char numbers[] = "12 0x1f 2.5";
static char *end[2];
static int exponent[2];

static void *work(void *arg)
{
    int me = *(int *)arg;
    assert(strtol(numbers, &end[me], 10) == 12 && end[me] == numbers + 2);
    assert(strtoul(end[me], NULL, 16) == 31);
    assert(strtod(numbers + 8, &end[me]) == 2.5 && *end[me] == 0);
    assert(frexp(8.0, &exponent[me]) == 0.5 && exponent[me] == 4);
    return NULL;
}

int main(void)
{
    pthread_t t;
    static int zero = 0, one = 1;
    pthread_create(&t, NULL, work, &one);
    work(&zero);
    pthread_join(t, NULL);
    return 0;
}
