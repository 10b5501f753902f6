// main ends as a thread when the other one is done with its variable.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static void *work(void *number)
{
    *(int *)number = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int number;
    pthread_create(&t, NULL, work, &number);
    pthread_join(t, NULL);
    pthread_exit(NULL);
}
