// expect: verified
// Every element of a variable-length array is written.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static volatile int length = 3;

static void *work(void *unused)
{
    int n = length, a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    if (a[n - 1] == 7)
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
