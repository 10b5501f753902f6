// expect: violation memory
// A block of alloca is used by the caller of the function that made it.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 4;

static int *make(int n)
{
    int *p = alloca((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    return p;
}

static void *work(void *unused)
{
    int *p = make(length);
    assert(p[1] == 1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
