// expect: violation memory
// A block that has another block's memory has no value either.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    for (int i = 0; i < 12000; i++) {
        int *x = malloc(100);
        x[0] = 1;
        if (i > 11000 && x[1]) /* violation */
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
