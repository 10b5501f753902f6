// A thread in poll() is woken by a cancellation, or by what it waits for; its handler runs then.
// expect: verified
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], cleaned;

static void clean(void *unused)
{
    (void)unused;
    cleaned = 1;
}

static void *work(void *unused)
{
    struct pollfd p = { .fd = ends[0], .events = POLLIN };
    pthread_cleanup_push(clean, NULL);
    poll(&p, 1, -1);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pipe(ends);
    pthread_create(&t, NULL, work, NULL);
    write(ends[1], "x", 1);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(cleaned == (result == PTHREAD_CANCELED));
    return 0;
}
