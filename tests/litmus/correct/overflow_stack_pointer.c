// expect: verified
// A function that gets a local array writes its elements.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = 1;
}

static void *work(void *unused)
{
    int a[3];
    fill(a, 3);
    assert(a[2]);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
