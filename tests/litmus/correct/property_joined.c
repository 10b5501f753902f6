// A thread is given a name by another one and by itself.  The other one has ended before the thread is joined: either name may be the last one.
// expect: verified
// executions: 2
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *unused)
{
    pthread_setname_np(pthread_self(), "itself");
    return unused;
}

static void *names(void *unused)
{
    pthread_setname_np(worker, "worker");
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, names, NULL);
    pthread_join(other, NULL);
    pthread_join(worker, NULL);
    return 0;
}
