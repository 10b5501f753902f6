// The address of a thread-local variable is given to another thread, which writes there.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static __thread int mine;
static int *_Atomic published;

static void *work(void *unused)
{
    mine = 1;
    published = &mine;
    assert(mine == 1); /* violation */
    published = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int *theirs = published;
    if (theirs)
        *theirs = 2;
    pthread_join(t, NULL);
    return 0;
}
