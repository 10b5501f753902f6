// The program of Table 3.1 of Noonan, "Slice-n-Dice Algorithm Implementation in Java PathFinder".
// The comments are the thesis's numbers of the statements.
#include <heddle.h>
#include <pthread.h>

int x = 0, z = 0;

static void *t0(void *arg)
{
    x++;                 /* t0: 0 */
    if (x > 6)           /* t0: 1 */
        heddle_target(); /* t0: 2 */
    return arg;
}

static void *t1(void *arg)
{
    int h = 5;     /* t1: 0 */
    int y = h + 1; /* t1: 1 */
    x += y;        /* t1: 2 */
    y *= 2;        /* t1: 3 */
    int m = x * y; /* t1: 4 */
    if (m >= 84)   /* t1: 5 */
        y *= 4;    /* t1: 6 */
    return arg;
}

static void *t2(void *arg)
{
    int i;                  /* t2: 0 */
    for (i = 0; i < 5; i++) /* t2: 1 */
        z += x;             /* t2: 2 */
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
