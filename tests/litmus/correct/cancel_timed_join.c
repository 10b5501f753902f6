// A thread that was cancelled at pthread_timedjoin_np has not joined, and one that was not has: main joins in the first case.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
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
    (void)unused;
    atomic_store(&called, 1);
    return pthread_timedjoin_np(a, NULL, &late) ? PTHREAD_CANCELED : NULL;
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
    if (result)
        pthread_join(a, NULL);
    return 0;
}
