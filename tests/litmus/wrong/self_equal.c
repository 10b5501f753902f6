// A thread is not the one that created it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *work(void *parent)
{
    assert(pthread_equal(pthread_self(), *(pthread_t *)parent)); /* violation */
    return NULL;
}

int main(void)
{
    pthread_t t, self = pthread_self();
    pthread_create(&t, NULL, work, &self);
    pthread_join(t, NULL);
    return 0;
}
