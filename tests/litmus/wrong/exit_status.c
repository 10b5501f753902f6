// The process ends with status 3 when the thread was faster.
// expect: violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int flag;

static void *work(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (flag)
        _exit(3); /* violation */
    pthread_join(t, NULL);
    return 0;
}
