// Who is the last user is decided in one critical section.
// expect: verified
// also: --reduce none => verified
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;

static void *leave(void *block)
{
    pthread_mutex_lock(&lock);
    int last = --users == 0;
    pthread_mutex_unlock(&lock);
    if (last)
        free(block);
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
