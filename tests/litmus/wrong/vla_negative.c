// expect: violation crash
// The length of a variable-length array is below zero.
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *unused)
{
    char a[length - 5]; /* violation */
    a[0] = 1;
    return a[0] ? NULL : unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
