// C11: two threads count under a lock.
// expect: verified
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static int count;

static int work(void *by)
{
    mtx_lock(&lock);
    int now = count += *(int *)by;
    mtx_unlock(&lock);
    return now;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, result;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &one);
    thrd_join(a, &result);
    thrd_join(b, NULL);
    assert(result == 1 || result == 2);
    assert(count == 2);
    mtx_destroy(&lock);
    return 0;
}
