// The block is freed when its reader has been joined.
// expect: verified
// executions: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *reader(void *sum)
{
    *(int *)sum = *block;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&t, NULL, reader, &sum);
    pthread_join(t, NULL);
    free(block);
    assert(sum == 1);
    return 0;
}
