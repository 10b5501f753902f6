// A thread that is cancelled while it runs the function has not run it: the next one does.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, done;

static void prepare(void)
{
    begun++;
    pthread_testcancel();
    done++;
}

static void *work(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_once(&once, prepare);
    pthread_join(t, &result);
    assert(done == 1 && (begun == 1 || result == PTHREAD_CANCELED));
    return 0;
}
