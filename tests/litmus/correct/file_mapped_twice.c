// Two threads map a file, each by itself: they share its bytes, and use them one after the other.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static void *add(void *unused)
{
    int fd = open("heddle-litmus-twice", O_RDWR);
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(page != MAP_FAILED);
    page[0] = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    int fd = open("heddle-litmus-twice", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0 && ftruncate(fd, 4096) == 0);
    int *mine = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(mine != MAP_FAILED);
    pthread_create(&t, NULL, add, NULL);
    pthread_join(t, NULL);
    assert(mine[0] == 1);
    return 0;
}
