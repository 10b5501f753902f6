// A file that can't be opened is noticed.
// expect: no-violation-found
// options: --faults io:1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused)
{
    FILE *f = fopen("/dev/null", "r");
    if (f)
        fclose(f);
    else
        assert(errno == EINTR || errno == EMFILE || errno == ENOENT);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int fd = open("/dev/null", O_WRONLY);
    if (fd >= 0)
        close(fd);
    pthread_join(t, NULL);
    return 0;
}
