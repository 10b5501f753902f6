// expect: verified
// options: --strategy auto
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => verified
// also: --strategy optimal --polls 1 => no-violation-found
// Looking under a lock, now and then.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *produce(void *unused)
{
    pthread_mutex_lock(&m);
    value = 7;
    ready = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static int is_ready(void)
{
    pthread_mutex_lock(&m);
    int is = ready;
    pthread_mutex_unlock(&m);
    return is;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    while (!is_ready())
        usleep(100);
    assert(value == 7);
    pthread_join(t, 0);
    return 0;
}
