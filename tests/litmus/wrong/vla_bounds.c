// expect: violation memory
// The element after the last of a variable-length array is read.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *unused)
{
    int n = length, a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    int last = a[n]; /* violation */
    assert(last == 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
