// expect: verified
// A variable-length array whose length is known is read in its scope.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused)
{
    const int n = 3;
    int *p, found;
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
