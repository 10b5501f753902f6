// A protection is changed, and advice given, which fail with ENOMEM after another thread has unmapped the memory.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
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
    int early = mprotect(page, 4096, PROT_READ | PROT_WRITE);
    int late = madvise(page, 4096, MADV_WILLNEED);
    assert(early == late); /* violation */
    pthread_join(thread, NULL);
    return 0;
}
