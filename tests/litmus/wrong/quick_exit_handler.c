// A handler of quick_exit that a thread registers while main leaves may run, or may not.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void fails(void) { assert(0); /* violation */ }

static void *registers(void *unused)
{
    at_quick_exit(fails);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, registers, NULL);
    quick_exit(0);
}
