// expect: verified
// The number was written through a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int half(const int *x) { return *x / 2; }

static void set(int *x) { *x = 4; }

static void *work(void *unused)
{
    int *x = malloc(sizeof *x), y;
    set(x);
    set(&y);
    printf("%d %d\n", half(x), half(&y));
    free(x);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
