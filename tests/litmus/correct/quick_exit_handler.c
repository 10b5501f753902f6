// Handlers of quick_exit do not run at exit.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void fails(void) { assert(0); }

static void *registers(void *unused)
{
    at_quick_exit(fails);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, registers, NULL);
    exit(0);
}
