// expect: verified
// calloc clears the memory that it gives out again.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    for (int i = 0; i < 12000; i++) {
        int *x = calloc(25, sizeof *x);
        if (x[1])
            puts("old");
        x[1] = 1;
        free(x);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
