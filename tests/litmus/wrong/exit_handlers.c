// A handler that has been popped does not run.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void *by) { cleaned += *(int *)by; }

static void *work(void *result)
{
    static int one = 1;
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_pop(0);
    pthread_exit(result);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(cleaned == 1); /* violation */
    return 0;
}
