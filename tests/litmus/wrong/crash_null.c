// The pointer may become null between the test and the use.
// expect: violation crash
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
    if (pointer) {
        int *p = pointer;
        *p = 1; /* violation */
    }
    pthread_join(t, NULL);
    return 0;
}
