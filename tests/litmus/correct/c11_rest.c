// C11: once, thread-specific storage, identity, yield, sleep, detach, broadcast.
// expect: verified
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static mtx_t lock;
static cnd_t cond;
static int times, destroyed, over;

static void prepare(void) { times++; }

static void destroy(void *value)
{
    (void)value;
    mtx_lock(&lock);
    destroyed++;
    mtx_unlock(&lock);
}

static int work(void *main_thread)
{
    call_once(&once, prepare);
    assert(times == 1);
    assert(tss_get(key) == NULL);
    tss_set(key, &over);
    assert(!thrd_equal(thrd_current(), *(thrd_t *)main_thread));
    thrd_yield();
    thrd_sleep(&(struct timespec){ 1, 0 }, NULL);
    mtx_lock(&lock);
    over++;
    cnd_broadcast(&cond);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t self = thrd_current(), t;
    tss_create(&key, destroy);
    mtx_init(&lock, mtx_plain);
    cnd_init(&cond);
    thrd_create(&t, work, &self);
    thrd_detach(t);
    call_once(&once, prepare);
    mtx_lock(&lock);
    while (!over)
        cnd_wait(&cond, &lock);
    assert(times == 1 && destroyed <= 1);
    mtx_unlock(&lock);
    tss_delete(key);
    return 0;
}
