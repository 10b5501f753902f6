// errno belongs to the thread.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

static void *work(void *value)
{
    errno = *(int *)value;
    sched_yield();
    assert(errno == *(int *)value);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    static int first = EINTR, second = ENOSPC;
    errno = EDOM;
    pthread_create(&a, NULL, work, &first);
    pthread_create(&b, NULL, work, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(errno == EDOM);
    return 0;
}
