// The program of Figure 1 of Rungta and Mercer, "Slicing and Dicing Bugs in Concurrent Programs".
// The comments are the paper's numbers of the statements.
#include <heddle.h>
#include <pthread.h>

#ifndef WANTED
#define WANTED 10 /* 45 cannot be reached */
#endif

int x = 0, y = 1;

static void *t0(void *arg)
{
    if (x == 0) {       /* t0: 1 */
        if (y <= 1)     /* t0: 2 */
            x = x + 12; /* t0: 3 */
    } else {
        y = y * 30; /* t0: 5 */
        x = x + 9;  /* t0: 6 */
    }
    if (x == WANTED)     /* t0: 7 */
        heddle_target(); /* t0: 8 */
    return arg;          /* t0: 9 */
}

static void *t1(void *arg)
{
    if (y >= x)    /* t1: 1 */
        y = y + 1; /* t1: 2 */
    x++;           /* t1: 3 */
    return arg;
}

static void *t2(void *arg)
{
    y = y - 1;      /* t2: 1 */
    if (y == 9)     /* t2: 2 */
        y = y * 10; /* t2: 3 */
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_create(&t[2], 0, t2, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
