// Two threads end the process, and either end may come first: that of main has status 0, the other has not.  The search over
// graphs took that of the first thread and looked at no other.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --strategy optimal => violation abort
// also: --memory rc11 => violation abort
// also: --memory tso => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int over;

static void *work(void *unused)
{
    if (atomic_load(&over)) /* main ends the process, too */
        _exit(1);           /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&over, 1);
    return 0;
}
