// A mutex in memory that was never made one.
// expect: violation misuse
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t *lock;

static void *work(void *unused)
{
    pthread_mutex_lock(lock); /* violation */
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    lock = malloc(sizeof *lock);
    memset(lock, 0xa5, sizeof *lock);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
