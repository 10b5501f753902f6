// What the second thread was to do is done here when it cannot be created.
// expect: verified
// options: --faults create:2
// also: --faults create:2 --reduce none => verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

static int done;

static void *work(void *unused)
{
    done++;
    return unused;
}

static int work_c11(void *unused)
{
    work(unused);
    return 0;
}

int main(void)
{
    pthread_t t;
    thrd_t u;
    int status = pthread_create(&t, NULL, work, NULL);
    assert(status == 0 || status == EAGAIN);
    if (status == 0)
        pthread_join(t, NULL);
    else
        work(NULL);
    if (thrd_create(&u, work_c11, NULL) == thrd_success)
        thrd_join(u, NULL);
    else
        work(NULL);
    assert(done == 2);
    return 0;
}
