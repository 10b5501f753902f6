// A baton passed by atomic exchange is never in two hands.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int baton = 1;
static atomic_int holders;

static void *work(void *unused)
{
    if (atomic_exchange(&baton, 0)) {
        assert(++holders == 1);
        holders--;
        atomic_exchange(&baton, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(baton == 1);
    return 0;
}
