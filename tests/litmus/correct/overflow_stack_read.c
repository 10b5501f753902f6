// expect: verified
// The loop reads the local array.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    int a[3] = { 1, 2, 3 }, sum = 0;
    for (int i = 2; i >= 0; i--)
        sum += a[i];
    printf("%d\n", sum);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
