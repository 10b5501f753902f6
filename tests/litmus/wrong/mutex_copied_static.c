// A mutex made by its initialiser is in use when it is copied.
// expect: violation misuse
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t original = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&original);
    pthread_mutex_t *copy = malloc(sizeof *copy);
    *copy = original;
    pthread_mutex_unlock(&original);
    pthread_mutex_lock(copy); /* violation */
    pthread_mutex_unlock(copy);
    free(copy);
    return 0;
}
