// expect: violation memory
// A number that nobody wrote is printed.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int half(const int *x) { return *x / 2; }

static void *work(void *unused)
{
    int *x = malloc(sizeof *x);
    printf("%d\n", half(x)); /* violation */
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
