// expect: verified
// The variable is written in every turn.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int x;
        x = i;
        if (x)
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
