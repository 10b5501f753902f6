// A loop without any visible action that never ends, in one interleaving.
// expect: violation no-progress
// options: --hang 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *work(void *unused)
{
    flag = 1;
    flag = 0;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (flag)
        for (;;)
            ;
    pthread_join(t, NULL);
    return 0;
}
