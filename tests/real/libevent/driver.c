/* libevent: another thread makes an event active, and the loop ends when it has run.  With -DBUG the
 * base was not told of threads. */
#include <assert.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

static struct event_base *base;
static struct event *event;
static int runs;

static void run(evutil_socket_t fd, short what, void *unused)
{
    (void)fd;
    (void)what;
    (void)unused;
    runs++;
    event_base_loopbreak(base);
}

static void *activate(void *unused)
{
    event_active(event, EV_WRITE, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
#ifndef BUG
    assert(evthread_use_pthreads() == 0);
#endif
    base = event_base_new();
    assert(base);
    event = event_new(base, -1, EV_PERSIST, run, NULL);
    assert(event && event_add(event, NULL) == 0);
    assert(pthread_create(&thread, NULL, activate, NULL) == 0);
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    pthread_join(thread, NULL);
    assert(runs == 1);
    event_free(event);
    event_base_free(base);
    return 0;
}
