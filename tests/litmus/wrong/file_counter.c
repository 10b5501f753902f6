// Two threads count in a file without a lock: both may read 0.
// expect: violation assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int fd;

static void *add(void *unused)
{
    int n = 0;
    pread(fd, &n, sizeof n, 0);
    n++;
    pwrite(fd, &n, sizeof n, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    int n = 0;
    fd = open("heddle-litmus-counter", O_RDWR | O_CREAT | O_EXCL, 0600);
    assert(fd >= 0 && ftruncate(fd, sizeof n) == 0);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(pread(fd, &n, sizeof n, 0) == sizeof n && n == 2); /* violation */
    return unlink("heddle-litmus-counter");
}
