// The size of a block is asked for while another thread writes into it: that is no data race.  The block is freed behind both.
// expect: verified
// executions: 1
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --memory rc11 => verified
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *block;
static size_t size;

static void *asks(void *unused)
{
    size = malloc_usable_size(block);
    return unused;
}

static void *writes(void *unused)
{
    memset(block, 1, 4);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(4);
    pthread_create(&a, NULL, asks, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
    return 0;
}
