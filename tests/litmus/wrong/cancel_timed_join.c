// The thread is cancelled before the call of pthread_timedjoin_np, or while it waits there: it does not join then.
// expect: violation assertion
// options: --keep-going
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static const struct timespec late = { 5000000000, 0 };
static atomic_int called;
static pthread_t a;

static void *nothing(void *unused) { return unused; }

static void *joins(void *unused)
{
    atomic_store(&called, 1);
    pthread_timedjoin_np(a, NULL, &late);
    return unused;
}

int main(void)
{
    pthread_t b;
    void *result;
    pthread_create(&a, NULL, nothing, NULL);
    pthread_create(&b, NULL, joins, NULL);
    while (!atomic_load(&called))
        continue;
    pthread_cancel(b);
    pthread_join(b, &result);
    assert(result == NULL); /* violation */
    return 0;
}
