// Creating and joining order what is before and after them.
// expect: verified
// executions: 1
// (they add no traces)
#include <pthread.h>
#include <stdlib.h>

static void *work(void *result)
{
    *(int *)result += 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *result = calloc(1, sizeof *result);
    *result = 1;
    pthread_create(&t, NULL, work, result);
    pthread_join(t, NULL);
    int seen = *result;
    free(result);
    return seen != 2;
}
