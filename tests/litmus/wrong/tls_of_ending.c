// The address of a thread-local variable is used while its thread may end: one order is wrong, so the
// end of a thread must be seen to conflict with what others do to its variables.
// expect: violation memory
// options: --races off
// also: --races off --reduce none => violation memory
// also: --races off --reduce source => violation memory
// also: --races off --reduce dpor => violation memory
// also: --races off --reduce sleep => violation memory
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int mine;
static int *_Atomic published;

static void *work(void *unused)
{
    published = &mine;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int *theirs = published;
    if (theirs)
        *theirs = 2; /* violation */
    pthread_join(t, NULL);
    return 0;
}
