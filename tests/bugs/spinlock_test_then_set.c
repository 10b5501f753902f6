/* A lock of one's own looks whether it is free and then takes it. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int locked, inside;

static int try_lock(void)
{
    if (locked)
        return 0;
    locked = 1;
    return 1;
}

static void *work(void *unused)
{
    if (try_lock()) {
        assert(inside++ == 0);
        inside--;
        locked = 0;
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
}
