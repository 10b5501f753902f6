// A thread hands out the address of its own variable and ends; the write may come too late.  Only one
// order is wrong, so the end of a thread must be seen to conflict with what others do to its stack.
// expect: violation memory
// options: --races off
// also: --races off --reduce not-seen => violation memory
// also: --races off --reduce none => violation memory
// also: --races off --reduce source => violation memory
// also: --races off --reduce dpor => violation memory
// also: --races off --reduce sleep => violation memory
#include <pthread.h>
#include <stdlib.h>

static int *volatile handed;

static void *lend(void *unused)
{
    int local = 0;
    handed = &local;
    return unused;
}

static void *use(void *unused)
{
    int *mine = handed;
    if (mine)
        *mine = 1; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&u, NULL, use, NULL);
    pthread_create(&t, NULL, lend, NULL);
    pthread_join(u, NULL);
    pthread_join(t, NULL);
    return 0;
}
