// C11: the program assumes that the time never runs out.
// expect: violation assertion
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t cond;
static int ready;

static int work(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&cond);
    mtx_unlock(&lock);
    thrd_exit(7);
}

int main(void)
{
    thrd_t t;
    int result;
    mtx_init(&lock, mtx_timed);
    cnd_init(&cond);
    thrd_create(&t, work, NULL);
    mtx_lock(&lock);
    struct timespec at = { 2000000000, 0 };
    if (!ready)
        cnd_timedwait(&cond, &lock, &at);
    assert(ready); /* violation */
    mtx_unlock(&lock);
    thrd_join(t, &result);
    assert(result == 7);
    cnd_destroy(&cond);
    return 0;
}
