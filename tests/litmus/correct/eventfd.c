// A counter of events: a read takes all, or one from a semaphore, and waits for the first.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int all, one;

static void *producer(void *unused)
{
    uint64_t two = 2;
    assert(write(all, &two, sizeof two) == sizeof two);
    assert(eventfd_write(one, 2) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    uint64_t n;
    all = eventfd(0, EFD_CLOEXEC);
    one = eventfd(0, EFD_SEMAPHORE);
    pthread_create(&a, NULL, producer, NULL);
    assert(read(all, &n, sizeof n) == sizeof n && n == 2);
    assert(eventfd_read(one, &n) == 0 && n == 1);
    pthread_join(a, NULL);
    assert(eventfd_read(one, &n) == 0 && n == 1);
    close(all);
    all = eventfd(0, EFD_NONBLOCK);
    assert(read(all, &n, sizeof n) == -1 && errno == EAGAIN);
    assert(read(all, &n, 4) == -1 && errno == EINVAL);
    return 0;
}
