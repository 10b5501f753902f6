// expect: violation memory
// A length that has become negative is a very large one.  It is wrong at once, however much it is.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile int header = 4, length = 3;

static void *clear(void *arg)
{
    char *block = malloc(4);
    memset(block, 0, (size_t)(length - header)); /* violation */
    free(block);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    pthread_join(thread, NULL);
    return 0;
}
