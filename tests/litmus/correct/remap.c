// expect: verified
// executions: 2
// A mapping that grows keeps its bytes and has zeros after them; two critical sections, two orders.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *map;
static size_t bytes = 4096;

static void *grow(void *arg)
{
    pthread_mutex_lock(&mutex);
    map = mremap(map, bytes, bytes + 8192, MREMAP_MAYMOVE);
    assert(map != MAP_FAILED && map[0] == 7 && map[bytes] == 0);
    map[bytes] = 3;
    bytes += 8192;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    map[0] = 7;
    pthread_create(&a, NULL, grow, NULL);
    pthread_create(&b, NULL, grow, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bytes == 20480 && map[4096] == 3 && map[12288] == 3);
    return 0;
}
