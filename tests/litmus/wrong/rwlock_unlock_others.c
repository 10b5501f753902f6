// A thread unlocks what main holds.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *unused)
{
    pthread_rwlock_unlock(&lock); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
