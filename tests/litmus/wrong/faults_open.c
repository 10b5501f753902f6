// The program does not expect that open() fails because too many files are open.
// expect: violation assertion
// options: --faults io:1
// also: => verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *work(void *unused)
{
    int fd = openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CREAT, 0600);
    assert(fd >= 0); /* violation */
    close(fd);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
