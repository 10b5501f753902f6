// A file that only one can create decides between two threads, in every execution anew.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int owners;

static void *claim(void *unused)
{
    int fd = open("heddle-litmus-owner", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd >= 0)
        owners++;
    else
        assert(errno == EEXIST);
    if (fd >= 0)
        close(fd);
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(access("heddle-litmus-owner", F_OK) != 0);
    pthread_create(&t, NULL, claim, NULL);
    claim(NULL);
    pthread_join(t, NULL);
    assert(owners == 1 && access("heddle-litmus-owner", F_OK) == 0);
    return 0;
}
