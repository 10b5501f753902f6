// Another thread unmaps memory: calls about it succeed or fail with ENOMEM, and fail when it is done.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static char *page;

static void *unmaps(void *unused)
{
    munmap(page, 4096);
    return unused;
}

int main(void)
{
    pthread_t thread;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, unmaps, NULL);
    if (msync(page, 4096, MS_SYNC) != 0)
        assert(errno == ENOMEM);
    if (mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0)
        assert(errno == ENOMEM);
    if (madvise(page, 4096, MADV_WILLNEED) != 0)
        assert(errno == ENOMEM);
    pthread_join(thread, NULL);
    assert(msync(page, 4096, MS_SYNC) == -1 && errno == ENOMEM);
    return 0;
}
