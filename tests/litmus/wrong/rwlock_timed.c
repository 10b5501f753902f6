// The reader assumes that a second is enough.
// expect: violation assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static struct timespec in_a_second(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec++;
    return at;
}

static void *writer(void *unused)
{
    struct timespec at = in_a_second();
    if (pthread_rwlock_timedwrlock(&lock, &at) == 0) {
        value = 1;
        value = 2;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused)
{
    struct timespec at = in_a_second();
    int status = pthread_rwlock_timedrdlock(&lock, &at);
    assert(status == 0); /* violation */
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
