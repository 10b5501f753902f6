// main waits for a thread that looks for ever at what nobody writes.
// expect: violation no-progress
// also: --strategy optimal => violation no-progress
// also: --strategy stateful => violation no-progress
// also: --strategy brute => violation no-progress
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;

static int stopped(void)
{
    return atomic_load_explicit(&stop, memory_order_relaxed); /* violation */
}

static void *look(void *unused)
{
    while (!stopped())
        sched_yield();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    return 0;
}
