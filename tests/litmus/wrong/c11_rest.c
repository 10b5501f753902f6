// C11: a detached thread may still run when main looks at what it does.
// expect: violation assertion
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static atomic_int prepared;

static void prepare(void) { prepared = 1; }

static int work(void *unused)
{
    (void)unused;
    call_once(&once, prepare);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, work, NULL);
    thrd_detach(t);
    thrd_sleep(&(struct timespec){ 10, 0 }, NULL);
    assert(prepared); /* violation */
    return 0;
}
