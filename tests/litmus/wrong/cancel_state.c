// The type is set where the state was meant: the work may be left half done.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int begun, done;

static void *work(void *unused)
{
    int before;
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before) == 0);
    assert(before == PTHREAD_CANCEL_DEFERRED);
    begun = 1;
    pthread_testcancel();
    done = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == NULL || result == PTHREAD_CANCELED);
    assert(begun == done); /* violation */
    return 0;
}
