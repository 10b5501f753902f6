// expect: violation assertion
// options: --strategy auto
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy optimal --polls 1 => violation assertion
// Ready is said too early: between two turns of the loop.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *produce(void *unused)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    value = 7;
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
    pthread_mutex_lock(&m);
    assert(value == 7); /* violation */
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
