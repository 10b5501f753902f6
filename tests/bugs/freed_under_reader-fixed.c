/* freed_under_reader.c, repaired. Readers and the remover hold the lock. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int payload = 42;
static atomic_int linked = 1;

static void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    if (linked)
        assert(payload == 42);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    linked = 0;
    payload = 0; /* the memory serves something else now */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
