// pthread_exit runs the cleanup handlers; its result is kept.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void *by) { cleaned += *(int *)by; }

static void *work(void *result)
{
    static int one = 1, two = 2;
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_push(clean, &two);
    pthread_exit(result);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, &cleaned);
    pthread_join(t, &result);
    assert(result == &cleaned && cleaned == 3);
    return 0;
}
