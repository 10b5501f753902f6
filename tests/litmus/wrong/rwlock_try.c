// The reader reads although the lock was refused.
// expect: violation assertion data-race
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *unused)
{
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        value = 1;
        value = 2;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused)
{
    int status = pthread_rwlock_tryrdlock(&lock);
    assert(status == 0 || status == EBUSY);
    assert(value != 1); /* violation */
    if (status == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
