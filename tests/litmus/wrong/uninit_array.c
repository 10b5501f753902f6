// expect: violation memory
// The loop writes one element less than the other loop reads.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    int a[4], sum = 0;
    for (int i = 0; i < 3; i++)
        a[i] = i;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    if (sum > 3) /* violation */
        puts("large");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
