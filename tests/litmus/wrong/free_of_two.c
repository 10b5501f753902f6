// Each of two threads believes that it is the last user, so both free the block.
// expect: violation memory
// also: --reduce none => violation memory
// also: --reduce source => violation memory
// also: --reduce dpor => violation memory
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;

static void *leave(void *block)
{
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int last = users == 0;
    pthread_mutex_unlock(&lock);
    if (last)
        free(block); /* violation */
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *block = malloc(10);
    pthread_create(&t, NULL, leave, block);
    leave(block);
    pthread_join(t, NULL);
    return 0;
}
