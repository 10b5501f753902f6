// The handlers of pthread_cleanup_push_defer_np run as the others do.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void *by) { cleaned += *(int *)by; }

static void *work(void *unused)
{
    static int one = 1, two = 2;
    pthread_cleanup_push_defer_np(clean, &one);
    pthread_cleanup_push_defer_np(clean, &two);
    pthread_cleanup_pop_restore_np(1);
    pthread_exit(unused);
    pthread_cleanup_pop_restore_np(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(cleaned == 3);
    return 0;
}
