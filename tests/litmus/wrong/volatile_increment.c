// An increment of a volatile variable is a load and a store: with --races volatile-ok, too, one can be lost.
// expect: violation assertion
// options: --races volatile-ok
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile long n;

static void *count(void *unused)
{
    n++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2); /* violation */
    return 0;
}
