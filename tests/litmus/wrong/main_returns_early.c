// Return from main ends the process while the thread may still be on its way.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int done;

static void at_end(void) { assert(done == 1); /* violation */ }

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    atexit(at_end);
    pthread_create(&t, NULL, work, NULL);
    return 0;
}
