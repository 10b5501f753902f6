// A division by what another thread may have set to zero.
// expect: violation crash
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int divisor = 7;
static volatile int result;

static void *work(void *unused)
{
    divisor = 0;
    divisor = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int d = divisor;
    result = 21 / d; /* violation */
    pthread_join(t, NULL);
    return 0;
}
