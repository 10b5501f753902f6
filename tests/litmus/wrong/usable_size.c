// The size of a block is asked for, and another thread may have freed it.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --strategy stateful => violation memory
// also: --memory rc11 => violation memory
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static char *block;
static size_t size;

static void *asks(void *unused)
{
    size = malloc_usable_size(block); /* violation */
    return unused;
}

static void *frees(void *unused)
{
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(4);
    pthread_create(&a, NULL, asks, NULL);
    pthread_create(&b, NULL, frees, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
