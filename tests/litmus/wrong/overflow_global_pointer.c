// expect: violation memory
// A function that gets the array writes one element too many.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[4], b[4];

static void fill(int *p, int n)
{
    for (int i = 0; i <= n; i++)
        p[i] = 1; /* violation */
}

static void *work(void *unused)
{
    fill(a, 4);
    fill(b, 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
