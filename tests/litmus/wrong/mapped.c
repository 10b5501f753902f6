// Anonymous memory that is unmapped while another thread may still use it.
// expect: violation memory
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static void *work(void *page)
{
    __atomic_fetch_add((int *)page, 1, __ATOMIC_SEQ_CST); /* violation */
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, work, page);
    munmap(page, 4096);
    pthread_join(t, NULL);
    return 0;
}
