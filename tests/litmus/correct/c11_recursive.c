// C11: a recursive timed lock.
// expect: verified
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;

static int work(void *unused)
{
    struct timespec at = { 2000000000, 0 };
    (void)unused;
    int status = mtx_timedlock(&lock, &at);
    assert(status == thrd_success || status == thrd_timedout);
    if (status == thrd_success) {
        assert(mtx_lock(&lock) == thrd_success);
        mtx_unlock(&lock);
        mtx_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_timed | mtx_recursive);
    thrd_create(&a, work, NULL);
    thrd_create(&b, work, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
