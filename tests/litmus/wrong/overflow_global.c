// expect: violation memory
// The index is one too large: the next variable is written.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[4], index_ = 4;

static void *work(void *unused)
{
    a[index_] = 1; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
