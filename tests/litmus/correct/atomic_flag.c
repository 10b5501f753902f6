// An atomic_flag admits one thread at a time.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int inside;

static void *work(void *unused)
{
    if (!atomic_flag_test_and_set(&busy)) {
        assert(inside++ == 0);
        inside--;
        atomic_flag_clear(&busy);
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
    return 0;
}
