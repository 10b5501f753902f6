// No thread fetches the block that the thread returns, and nothing else points to it.
// expect: violation memory
// options: --leaks
// also: => verified
#include <pthread.h>
#include <stdlib.h>

static void *work(void *number)
{
    int *result = malloc(sizeof *result); /* violation */
    *result = *(int *)number + 1;
    return result;
}

int main(void)
{
    pthread_t t;
    int number = 1;
    pthread_create(&t, NULL, work, &number);
    pthread_join(t, NULL);
    number = 2;
    return 0;
}
