// Two threads map a file, each by itself: they share its bytes, and race.
// expect: violation data-race
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
    page[0] = 1; /* race */
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
    mine[0] = 2; /* race */
    pthread_join(t, NULL);
    return 0;
}
