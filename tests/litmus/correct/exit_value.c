// pthread_exit from a nested call, and the return value, come out of pthread_join.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static void leave(int depth)
{
    if (depth == 0)
        pthread_exit((void *)(intptr_t)7);
    leave(depth - 1);
}

static void *exits(void *unused)
{
    (void)unused;
    leave(5);
    return NULL;
}

static void *returns(void *arg) { return (void *)((intptr_t)arg + 1); }

int main(void)
{
    pthread_t e, r;
    void *from_e, *from_r;
    pthread_create(&e, NULL, exits, NULL);
    pthread_create(&r, NULL, returns, (void *)(intptr_t)41);
    pthread_join(r, &from_r);
    pthread_join(e, &from_e);
    assert((intptr_t)from_e == 7);
    assert((intptr_t)from_r == 42);
    return 0;
}
