// An atomic flag orders what is before its store and what is after its load.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *produce(void *unused)
{
    data = 42;
    ready = 1;
    return unused;
}

static void *consume(void *unused)
{
    if (ready)
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
