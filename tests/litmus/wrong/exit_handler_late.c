// Two threads register handlers, which run in reverse order, while main returns: the second of them
// may run without the first, or after it.
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
    return unused;
}

static void *writes(void *unused)
{
    atexit(write_log);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, opens, NULL);
    pthread_create(&b, NULL, writes, NULL);
    return 0;
}
