// The handlers are registered in the order that they need, before main returns.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool closed;

static void close_log(void) { closed = true; }
static void write_log(void) { assert(!closed); }

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
    pthread_join(a, NULL);
    return 0;
}
