// expect: violation memory
// The last element of a variable-length array was never written.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static volatile int length = 3;

static void *work(void *unused)
{
    int n = length, a[n];
    for (int i = 0; i < n - 1; i++)
        a[i] = i;
    if (a[n - 1] == 7) /* violation */
        puts("seven");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
