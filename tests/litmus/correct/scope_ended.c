// expect: verified
// The function waits for the thread that uses its local.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *x)
{
    *(int *)x = 1;
    return NULL;
}

static int start(pthread_t *t)
{
    int x = 0;
    pthread_create(t, NULL, work, &x);
    pthread_join(*t, NULL);
    return x;
}

int main(void)
{
    pthread_t t;
    assert(start(&t) == 1);
    return 0;
}
