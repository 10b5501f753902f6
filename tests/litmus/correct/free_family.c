// Everything that allocates, up to the last byte of it; freed by another thread than its maker.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *freer(void *block)
{
    free(block);
    return NULL;
}

static void use(char *block, size_t size)
{
    pthread_t t;
    memset(block, 1, size);
    block[size - 1] = 2;
    assert(malloc_usable_size(block) >= size);
    pthread_create(&t, NULL, freer, block);
    pthread_join(t, NULL);
}

int main(void)
{
    void *aligned;
    free(NULL);
    free(malloc(0));
    use(malloc(1), 1);
    use(malloc(47), 47);
    use(malloc(48), 48);
    use(malloc(49), 49);
    use(malloc(1000), 1000);
    use(calloc(3, 5), 15);
    use(realloc(malloc(3), 100), 100);
    use(realloc(NULL, 7), 7);
    use(strdup("text"), 5);
    use(strndup("text", 2), 3);
    assert(posix_memalign(&aligned, 4096, 100) == 0 && (uintptr_t)aligned % 4096 == 0);
    use(aligned, 100);
    aligned = aligned_alloc(64, 128);
    assert((uintptr_t)aligned % 64 == 0);
    use(aligned, 128);
    char *large = malloc(3000000);
    large[2999999] = 1;
    free(large);
    assert(malloc(SIZE_MAX / 2) == NULL);
    return 0;
}
