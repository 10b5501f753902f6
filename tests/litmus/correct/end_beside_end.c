// Two threads end the process, and either end may come first; both have status 0.
// expect: verified
// also: --strategy graph --memory sc => verified
// also: --strategy optimal => verified
// also: --memory rc11 => verified
// also: --memory tso => verified
// also: --strategy graph --memory sc --expect-exit 1 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int over;

static void *work(void *unused)
{
    if (atomic_load(&over))
        _exit(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&over, 1);
    return 0;
}
