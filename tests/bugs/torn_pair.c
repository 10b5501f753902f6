/* Two fields that belong together are written one after the other: a reader sees half of
 * the change. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int low, high = 10;

static void *shift(void *unused)
{
    low = 20;
    high = 30;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, shift, NULL);
    int from = low, to = high;
    assert(from <= to);
    pthread_join(t, NULL);
}
