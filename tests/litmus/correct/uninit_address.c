// expect: verified
// The index was written.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[4];

static void *work(void *unused)
{
    int index[2];
    index[0] = 1;
    table[index[0] & 3] = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
