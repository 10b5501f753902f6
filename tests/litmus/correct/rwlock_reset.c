// A lock that is held for reading, then for writing, is made anew by an assignment.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int n;

static void *work(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    n++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void play(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void)
{
    pthread_rwlock_rdlock(&lock);
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    play();
    pthread_rwlock_rdlock(&lock);
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    play();
    assert(n == 4);
    return 0;
}
