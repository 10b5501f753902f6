// expect: verified
// A variable-length array is read in its scope.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *unused)
{
    int n = length, *p, found;
    {
        int a[n];
        a[0] = 1;
        p = a;
        found = *p;
    }
    assert(found == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
