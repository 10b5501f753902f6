// What is copied is an initialiser that is no mutex yet.
// expect: verified
#include <pthread.h>
#include <stdlib.h>

static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t *mutex = malloc(sizeof *mutex);
        *mutex = fresh;
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
        free(mutex);
    }
    return 0;
}
