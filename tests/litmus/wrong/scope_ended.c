// expect: violation memory
// The thread may use the local of a function that has returned.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *x)
{
    *(int *)x = 1; /* violation */
    return NULL;
}

static void start(pthread_t *t)
{
    int x = 0;
    pthread_create(t, NULL, work, &x);
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, NULL);
    return 0;
}
