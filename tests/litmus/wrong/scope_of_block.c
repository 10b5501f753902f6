// expect: violation memory
// The variable of an inner block is used after the block.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *kept;

static void keep(int *x) { kept = x; }

static void *work(void *unused)
{
    {
        int x = 1;
        keep(&x);
    }
    *kept = 2; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
