// The process ends by a raw system call, past the C library.
// expect: violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
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
        syscall(SYS_exit_group, 3);
    pthread_join(t, NULL);
    return 0;
}
