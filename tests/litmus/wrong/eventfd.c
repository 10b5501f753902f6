// Two events are one when they come before the read: the second read waits for ever.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int events;

static void *producer(void *unused)
{
    eventfd_write(events, 1);
    eventfd_write(events, 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    uint64_t n;
    events = eventfd(0, 0);
    pthread_create(&a, NULL, producer, NULL);
    read(events, &n, sizeof n);
    eventfd_read(events, &n); /* violation */
    pthread_join(a, NULL);
    return 0;
}
