// The end of a mapping is given up, which makes it zeros, and unmapped when nobody needs it any more.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *pages;

static void *work(void *unused)
{
    __atomic_fetch_add(&pages[1024], 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t t;
    pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[0] = pages[1024] = 1;
    mprotect(pages, 8192, PROT_READ | PROT_WRITE);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    madvise(pages + 1024, 4096, MADV_DONTNEED);
    assert(pages[0] == 1 && pages[1024] == 0);
    munmap(pages + 1024, 4096);
    assert(pages[0] == 1);
    return munmap(pages, 4096);
}
