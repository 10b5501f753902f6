// abort is called in one interleaving only.
// expect: violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int step;

static void *work(void *unused)
{
    step = 1;
    step = 2;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (step == 1)
        abort(); /* violation */
    pthread_join(t, NULL);
    return 0;
}
