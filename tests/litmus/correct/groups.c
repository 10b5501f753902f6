// The threads ask for the groups of the process.  Only what is given to them is written, each into its own.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *ask(void *number)
{
    gid_t groups[1024];
    int n = getgroups(1024, groups);
    assert(n >= 0 && n == *(int *)number);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int n = getgroups(0, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, ask, &n);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
