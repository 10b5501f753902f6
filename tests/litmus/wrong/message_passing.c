// The flag is written before the data.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data;
static atomic_int flag;

static void *send(void *unused)
{
    flag = 1;
    data = 42;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    if (flag)
        assert(data == 42); /* violation */
    pthread_join(t, NULL);
    return 0;
}
