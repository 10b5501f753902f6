// The same of a mapped file: to write it back fails with ENOMEM after another thread has unmapped it.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
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
    assert(msync(page, 4096, MS_SYNC) == 0); /* violation */
    pthread_join(thread, NULL);
    return 0;
}
