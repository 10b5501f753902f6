// While cancellation is disabled the work is done whole.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int begun, done;

static void *work(void *unused)
{
    int before;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
    assert(before == PTHREAD_CANCEL_ENABLE);
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
    assert(begun == done);
    return 0;
}
