// What is written to a file is in its mappings before the thread that looks is created, in every execution anew.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static volatile int *page;

static void *look(void *unused)
{
    assert(*page == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    int one = 1;
    fd = open("heddle-litmus-page", O_RDWR | O_CREAT, 0600);
    assert(ftruncate(fd, 4096) == 0);
    page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    assert(page != MAP_FAILED && *page == 0);
    assert(pwrite(fd, &one, sizeof one, 0) == sizeof one);
    pthread_create(&t, NULL, look, NULL);
    pthread_join(t, NULL);
    return 0;
}
