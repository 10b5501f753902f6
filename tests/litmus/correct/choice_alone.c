// expect: verified
// also: --strategy optimal => verified
// also: --memory rc11 => verified
// also: --memory tso => verified
// also: --memory sc --strategy graph => verified
// A choice of a thread that is alone belongs to heddle_choose() only: an attempt that follows does not fail, and the
// only thread at a barrier is the serial one.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t one;
static atomic_int x;

static void *other(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 1);
    sem_init(&one, 0, 1);
    int a = heddle_choose(3), tried = pthread_mutex_trylock(&m);
    int b = heddle_choose(2), serial = pthread_barrier_wait(&barrier);
    heddle_atomic_begin();
    int c = heddle_choose(2), waited = sem_trywait(&one);
    heddle_atomic_end();
    assert(tried == 0 && serial == PTHREAD_BARRIER_SERIAL_THREAD && waited == 0);
    pthread_create(&t, 0, other, 0);
    x += a + b + c;
    pthread_join(t, 0);
    assert(x == 1 + a + b + c);
    return 0;
}
