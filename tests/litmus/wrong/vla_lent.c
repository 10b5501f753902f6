// expect: violation memory
// A function that gets a variable-length array writes one byte too many.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void fill(char *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = 1; /* violation */
}

static void *work(void *unused)
{
    int n = length;
    char a[n], b[n];
    fill(a, n);
    fill(b, n + 1);
    assert(a[0] && b[0]);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
