// The buffer of a cleanup handler is shorter than a sigjmp_buf: sigsetjmp without a mask of signals writes no mask.
// expect: verified
// cc-flags: --analysis=all
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static int cleaned;
static sigjmp_buf back;

static void clean(void *by) { cleaned += *(int *)by; }

static void *work(void *unused)
{
    static int one = 1;
    pthread_cleanup_push(clean, &one);
    if (sigsetjmp(back, 1) == 0) /* this one writes a mask */
        siglongjmp(back, 1);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(cleaned == 1);
    return 0;
}
