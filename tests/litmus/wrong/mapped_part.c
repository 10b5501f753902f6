// The end of a mapping is unmapped while another thread may still use it.
// expect: violation memory
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *pages;

static void *work(void *unused)
{
    __atomic_fetch_add(&pages[1024], 1, __ATOMIC_SEQ_CST); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[1024] = 1;
    pthread_create(&t, NULL, work, NULL);
    munmap(pages + 1024, 4096);
    pthread_join(t, NULL);
    return 0;
}
