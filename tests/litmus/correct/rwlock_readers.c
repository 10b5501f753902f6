// Two readers wait for each other inside: readers do not exclude each other.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock;
static pthread_barrier_t inside;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&inside);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_rwlock_init(&lock, NULL);
    pthread_barrier_init(&inside, NULL, 2);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&inside);
    pthread_rwlock_destroy(&lock);
    return 0;
}
