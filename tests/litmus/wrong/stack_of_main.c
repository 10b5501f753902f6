// main ends as a thread, and its variable with it; only the other thread ever touches it.
// expect: violation memory
#include <pthread.h>
#include <stddef.h>

static void *work(void *number)
{
    *(int *)number = 1; /* violation */
    return NULL;
}

int main(void)
{
    pthread_t t;
    int number;
    pthread_create(&t, NULL, work, &number);
    pthread_exit(NULL);
}
