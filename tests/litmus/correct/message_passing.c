// The data are written before the flag: a thread that sees the flag sees the data.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void *send(void *unused)
{
    data = 42;
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    if (flag)
        assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
