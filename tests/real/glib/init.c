/* glib: two threads need what is made between g_once_init_enter and g_once_init_leave; it is made once, and both
 * see all of it. */
#include <assert.h>
#include <glib.h>
#include <pthread.h>

static gsize ready;
static int made, value;

static void *use(void *unused)
{
    if (g_once_init_enter(&ready)) {
        made++;
        value = 42;
        g_once_init_leave(&ready, 1);
    }
    assert(made == 1 && value == 42);
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
