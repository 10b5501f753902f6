// The answer is not looked at.
// expect: violation assertion
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
    pthread_tryjoin_np(t, NULL);
    assert(done); /* violation */
    return 0;
}
