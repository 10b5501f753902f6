// expect: violation memory
// The thread may use a variable-length array of a function that has returned.
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *x)
{
    *(int *)x = 1; /* violation */
    return NULL;
}

static void start(pthread_t *t)
{
    int a[length];
    a[0] = 0;
    pthread_create(t, NULL, work, a);
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, NULL);
    return 0;
}
