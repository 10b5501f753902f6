// The pointer is read once.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 42;
static int *_Atomic pointer = &value;

static void *work(void *unused)
{
    pointer = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int *p = pointer;
    if (p)
        *p = 1;
    pthread_join(t, NULL);
    return 0;
}
