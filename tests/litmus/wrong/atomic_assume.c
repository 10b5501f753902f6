// The write before the section is seen although the section then fails its assumption; the violation is found
// after the failed section, and replays.
// expect: violation crash
// also: --strategy brute => violation crash
// also: --strategy optimal => violation crash
// also: --strategy source => violation crash
// also: --strategy stateful => violation crash
// also: --strategy random --executions 1000 => violation crash
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *try(void *unused)
{
    x = 1;
    heddle_atomic_begin();
    y = 1;
    heddle_assume(heddle_choose(2) == 2);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, try, NULL);
    if (x == 1 && y == 0)
        *(volatile int *)16 = 1; /* violation */
    pthread_join(thread, NULL);
    return 0;
}
