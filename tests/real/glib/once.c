/* glib: two threads need what a GOnce makes; it is made once, and both see all of it. */
#include <assert.h>
#include <glib.h>
#include <pthread.h>

static GOnce once = G_ONCE_INIT;
static int made, value;

static void *make(void *unused)
{
    (void)unused;
    made++;
    value = 42;
    return &value;
}

static void *use(void *unused)
{
    int *got = g_once(&once, make, NULL);
    assert(got == &value && *got == 42 && made == 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    assert(pthread_create(&other, NULL, use, NULL) == 0);
    use(NULL);
    pthread_join(other, NULL);
    return 0;
}
