/* A thread that waits in a loop.  With -DFIXED it waits for something that happens. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused)
{
#ifdef FIXED
    done = 1;
#else
    int expected = 1; /* it is 0 */
    atomic_compare_exchange_strong(&done, &expected, 2);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!done)
        ;
    pthread_join(t, NULL);
}
