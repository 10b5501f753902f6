// There is no room for less than no group: the call fails.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *ask(void *unused)
{
    gid_t groups[4];
    assert(getgroups(-1, groups) >= 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, ask, NULL);
    pthread_join(t, NULL);
    return 0;
}
