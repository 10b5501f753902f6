// Threads that look for ever at what nobody writes once they run.  main returns, which ends the process and
// them.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy brute => verified
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int stop;
static volatile int flag;
static int set_before;

static int stopped(void) { return atomic_load_explicit(&stop, memory_order_relaxed); }

static void wait_in_call(void)
{
    while (!stopped())
        sched_yield();
}

static void *look(void *unused)
{
    while (!stop)
        ;
    return unused;
}

static void *look_at_flag(void *unused)
{
    int seen = flag;
    while (!seen)
        seen = flag;
    return unused;
}

static void *sleep_and_look(void *unused)
{
    while (set_before == 3)
        usleep(10);
    return unused;
}

static void *call(void *unused)
{
    wait_in_call();
    return unused;
}

int main(void)
{
    void *(*const all[])(void *) = { look, look_at_flag, sleep_and_look, call };
    pthread_t thread;
    set_before = 3;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, all[i], NULL);
    return 0;
}
