// The handlers are registered in the order that they need, but main may return meanwhile: the second is registered while
// the first runs, and runs after it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool closed;

static void close_log(void) { closed = true; }
static void write_log(void) { assert(!closed); /* violation */ }

static void *opens(void *unused)
{
    atexit(close_log);
    atexit(write_log);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, opens, NULL);
    return 0;
}
