// expect: verified
// What a block of alloca holds is copied before the function that made it returns.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static volatile int length = 4;

static void make(int n, int *into)
{
    int *p = alloca((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    memcpy(into, p, (size_t)n * sizeof *p);
}

static void *work(void *unused)
{
    int a[4];
    make(length, a);
    assert(a[1] == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
