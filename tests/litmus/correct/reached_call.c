// One of two orders makes a call of unknown effect: it is named, and nothing is verified.
// expect: no-violation-found
// also: --strategy stateful => no-violation-found
// also: -j 2 => no-violation-found
#include <nl_types.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *run(void *arg)
{
    pthread_mutex_lock(&m);
    if (hits++ == 1 && arg)
        catopen("/nowhere/there/is/no/such/file", 0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, &u);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
