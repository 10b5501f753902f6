// Whoever comes second waits until the first has prepared everything.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int prepared, times;

static void prepare(void)
{
    times++;
    prepared = 1;
}

static void *work(void *unused)
{
    pthread_once(&once, prepare);
    assert(prepared && times == 1);
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
