// The same of a mapped file.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static char *page;

static void *unmaps(void *unused)
{
    munmap(page, 4096);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int file = open("mapped.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, 4096) != 0)
        return 0;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_create(&thread, NULL, unmaps, NULL);
    if (msync(page, 4096, MS_SYNC) != 0)
        assert(errno == ENOMEM);
    pthread_join(thread, NULL);
    assert(msync(page, 4096, MS_SYNC) == -1 && errno == ENOMEM);
    return 0;
}
