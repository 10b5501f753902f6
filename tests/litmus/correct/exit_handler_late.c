// Two threads register handlers, which run in reverse order, while main returns: what they do
// does not depend on the order.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int closed, written;

static void close_log(void) { assert(++closed == 1); }
static void write_log(void) { assert(++written == 1); }

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
