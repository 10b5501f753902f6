// A thread unlocks a mutex that nobody holds.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tidy;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int both = tidy++;
    pthread_mutex_unlock(&lock);
    if (both)
        pthread_mutex_unlock(&lock); /* violation */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
