// C11: the thread waits without testing the flag, so the signal may come before the wait.
// expect: violation deadlock
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
    cnd_signal(&cond); /* lost */
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
    cnd_wait(&cond, &lock);
    mtx_unlock(&lock);
    thrd_join(t, &result);
    assert(result == 7);
    cnd_destroy(&cond);
    return 0;
}
