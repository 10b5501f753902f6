// Two threads count in a file, each under the lock.  The file begins with 0 in every execution, and is not made where
// the program runs.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int fd;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    int n = 0;
    pthread_mutex_lock(&lock);
    pread(fd, &n, sizeof n, 0);
    n++;
    pwrite(fd, &n, sizeof n, 0);
    pthread_mutex_unlock(&lock);
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
    assert(pread(fd, &n, sizeof n, 0) == sizeof n && n == 2);
    return unlink("heddle-litmus-counter");
}
