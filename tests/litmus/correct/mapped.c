// Anonymous memory begins as zeros in every execution, and is unmapped when all are done.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static void *work(void *page)
{
    __atomic_fetch_add((int *)page, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int *page = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED && page[0] == 0 && page[2047] == 0);
    page[2047] = 7; /* in its last page */
    madvise(page, 5000, MADV_WILLNEED);
    pthread_create(&a, NULL, work, page);
    pthread_create(&b, NULL, work, page);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(page[0] == 2 && page[2047] == 7);
    return munmap(page, 5000);
}
