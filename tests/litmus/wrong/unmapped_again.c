// Memory is unmapped, and another thread maps memory, which gets the same address: the call about the first succeeds.  Addresses of
// mappings do not come back under heddle, which the verdict says.
// expect: no-violation-found
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static char *page;
static atomic_int gone;

static void *unmaps(void *unused)
{
    munmap(page, 4096);
    gone = 1;
    return unused;
}

static void *maps(void *unused)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&threads[0], NULL, unmaps, NULL);
    pthread_create(&threads[1], NULL, maps, NULL);
    if (gone)
        assert(msync(page, 4096, MS_SYNC) == -1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
