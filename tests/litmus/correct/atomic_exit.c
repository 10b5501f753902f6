// The process ends inside an atomic section: what stands before it is checked, what stands after it is not reached.
// expect: verified
// also: --strategy brute => verified
// also: --strategy source => verified
// also: --strategy stateful => verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *end(void *unused)
{
    heddle_atomic_begin();
    if (heddle_choose(2))
        exit(0);
    x = 1;
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    assert(x == 0);
    pthread_join(thread, NULL);
    assert(0);
    return 0;
}
