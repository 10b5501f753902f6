// Two threads that first look whether there is a file, and then create it: both may own it.
// expect: violation assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int owners;

static void *claim(void *unused)
{
    if (access("heddle-litmus-owner", F_OK) == 0)
        return unused;
    close(open("heddle-litmus-owner", O_WRONLY | O_CREAT, 0600));
    owners++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, claim, NULL);
    claim(NULL);
    pthread_join(t, NULL);
    assert(owners == 1); /* violation */
    return 0;
}
