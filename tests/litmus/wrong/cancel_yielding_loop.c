// A thread that looks and yields in turn cannot be cancelled there: yielding is no cancellation point, and
// nobody sets the flag.
// expect: violation deadlock
// also: --strategy stateful => violation deadlock
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *look(void *unused)
{
    while (!ready) /* violation */
        sched_yield();
    return unused;
}

static void *never(void *sets)
{
    if (sets)
        ready = 1;
    return sets;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&two, NULL, never, NULL);
    pthread_join(two, NULL);
    pthread_cancel(one);
    pthread_join(one, NULL);
    return 0;
}
