// C11: the program ignores the result of mtx_trylock().
// expect: violation assertion data-race
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static int count;

static int work(void *by)
{
    int status = mtx_trylock(&lock);
    assert(status == thrd_success || status == thrd_busy);
    if (status == thrd_success) {
        count += *(int *)by;
        mtx_unlock(&lock);
    }
    return count;
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
    (void)result;
    assert(count == 2); /* violation */
    mtx_destroy(&lock);
    return 0;
}
