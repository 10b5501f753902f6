// A thread looks at a mapping while another writes to the file: it may see the new bytes.
// expect: violation assertion
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
    assert(*page == 0); /* violation */
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
    pthread_create(&t, NULL, look, NULL);
    assert(pwrite(fd, &one, sizeof one, 0) == sizeof one);
    pthread_join(t, NULL);
    return 0;
}
