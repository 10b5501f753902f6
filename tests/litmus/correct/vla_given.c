// expect: verified
// The function waits for the thread that uses its variable-length array.
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *x)
{
    *(int *)x = 1;
    return NULL;
}

static void start(pthread_t *t)
{
    int a[length];
    a[0] = 0;
    pthread_create(t, NULL, work, a);
    pthread_join(*t, NULL);
}

int main(void)
{
    pthread_t t;
    start(&t);
    return 0;
}
