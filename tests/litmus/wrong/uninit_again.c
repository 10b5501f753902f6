// expect: violation memory
// The variable is a new one in every turn of the loop, and nobody writes that of the second.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        if (x) /* violation */
            puts("set");
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
