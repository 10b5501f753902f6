// A flag replaces pthread_once(): the second thread finds it set before the preparation is done.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag begun = ATOMIC_FLAG_INIT;
static int prepared;

static void *work(void *unused)
{
    if (!atomic_flag_test_and_set(&begun))
        prepared = 1;
    assert(prepared); /* violation */
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
