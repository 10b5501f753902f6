// Several different violations in one program: with --keep-going all of them are found.
// expect: violation assertion crash deadlock
// options: --keep-going
// also: --keep-going --reduce none => violation assertion crash deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int step;

static void *work(void *unused)
{
    step = 1;
    step = 2;
    step = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int seen = step;
    assert(seen != 1);
    if (seen == 2)
        *(volatile int *)NULL = 1;
    if (seen == 3) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&never, &lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, NULL);
    return 0;
}
