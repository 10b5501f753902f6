// A call of unknown effect that no execution makes costs nothing; reached_call.c makes it.
// expect: verified
// executions: 2
// (one of two critical sections is the first)
#include <assert.h>
#include <nl_types.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *run(void *arg)
{
    pthread_mutex_lock(&m);
    hits++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    if (argc > 5)
        return catopen(argv[1], 0) == (nl_catd)-1;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(hits == 2);
    return 0;
}
