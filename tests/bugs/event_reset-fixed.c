/* event_reset.c, repaired. It clears first, then handles. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int event, arrived, handled;

static void handle(void) { handled = arrived; }

static void *source(void *unused)
{
    for (int i = 0; i < 2; i++) {
        arrived++;
        event = 1;
    }
    return unused;
}

static void poll_once(void)
{
    if (event) {
        event = 0;
        handle();
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, source, NULL);
    poll_once();
    pthread_join(t, NULL);
    poll_once();
    assert(handled == 2);
}
