// A lock is initialised while the thread holds it, which then unlocks what nobody holds.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

int main(void)
{
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_unlock(&lock); /* violation */
    return 0;
}
