// The detached thread may not have run yet when main relies on it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done;

static void *work(void *unused)
{
    pthread_detach(pthread_self());
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(__atomic_load_n(&done, __ATOMIC_SEQ_CST)); /* violation */
    return 0;
}
