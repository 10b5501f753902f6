// C11: the lock is not a recursive one.
// expect: violation misuse
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;

static int work(void *unused)
{
    struct timespec at = { 2000000000, 0 };
    (void)unused;
    if (mtx_timedlock(&lock, &at) == thrd_success) {
        mtx_lock(&lock); /* violation */
        mtx_unlock(&lock);
        mtx_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_timed | mtx_plain);
    thrd_create(&a, work, NULL);
    thrd_create(&b, work, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
