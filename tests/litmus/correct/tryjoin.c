// Joined, or still running.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static int done;

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int status = pthread_tryjoin_np(t, NULL);
    assert(status == 0 || status == EBUSY);
    if (status == 0)
        assert(done);
    else
        pthread_join(t, NULL);
    return 0;
}
