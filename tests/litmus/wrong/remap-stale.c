// expect: violation memory
// The old address of a mapping that has moved.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char *map;

static void *grow(void *arg)
{
    char *before = map;
    map = mremap(before, 4096, 65536, MREMAP_MAYMOVE);
    before[5] = 1; /* violation */
    return arg;
}

int main(void)
{
    pthread_t thread;
    map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, grow, NULL);
    pthread_join(thread, NULL);
    return 0;
}
