// A flag that is plain: its two accesses race, and what it guards does not.
// expect: violation data-race
#include <pthread.h>

static int data, ready;

static void *produce(void *unused)
{
    data = 42;
    ready = 1; /* race */
    return unused;
}

static void *consume(void *unused)
{
    if (ready) /* race */
        data++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
