// Every thread maps a file by itself, and what one writes there the other sees.  For heddle both mappings are one, so it cannot tell
// whether a thread uses its own after it has unmapped it: not verified.
// expect: no-violation-found
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    int fd = open("heddle-litmus-shared", O_RDWR);
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(page != MAP_FAILED);
    pthread_mutex_lock(&lock);
    page[0]++;
    pthread_mutex_unlock(&lock);
    assert(munmap(page, 4096) == 0 && close(fd) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    int n = 0, fd = open("heddle-litmus-shared", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0 && ftruncate(fd, 4096) == 0);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(pread(fd, &n, sizeof n, 0) == sizeof n && n == 2);
    return 0;
}
