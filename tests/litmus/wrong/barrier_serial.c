// The thread that comes last is taken for the serial one; POSIX says that it may be any.
// expect: violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int here;

static void *counts(void *unused)
{
    pthread_mutex_lock(&lock);
    int last = ++here == 2;
    pthread_mutex_unlock(&lock);
    int got = pthread_barrier_wait(&barrier);
    if (!last)
        assert(got != PTHREAD_BARRIER_SERIAL_THREAD); /* violation */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, counts, NULL);
    pthread_create(&b, NULL, counts, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
