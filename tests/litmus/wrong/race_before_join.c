// A result is looked at before the thread that makes it has been joined.
// expect: violation data-race
#include <pthread.h>
#include <stdlib.h>

static void *work(void *result)
{
    *(int *)result = 1; /* race */
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *result = calloc(1, sizeof *result);
    pthread_create(&t, NULL, work, result);
    int seen = *result; /* race */
    pthread_join(t, NULL);
    free(result);
    return seen > 1;
}
