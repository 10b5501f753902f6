// A thread is given the address of a variable of a function that returns.
// expect: violation memory data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t t;

static void *work(void *number)
{
    assert(*(int *)number == 1); /* violation */
    return NULL;
}

static void start(int value)
{
    volatile int number = value;
    pthread_create(&t, NULL, work, (void *)&number);
    number = 0;
}

int main(void)
{
    start(1);
    pthread_join(t, NULL);
    return 0;
}
