// Protections of memory, and the unmapping of its front, are left out: the result says so.
// expect: no-violation-found
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static void *work(void *pages) { return pages; }

int main(void)
{
    pthread_t t;
    int *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, work, pages);
    mprotect(pages, 4096, PROT_READ);
    pthread_join(t, NULL);
    munmap(pages, 4096);
    return 0;
}
