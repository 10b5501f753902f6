// expect: violation data-race
// One byte in the middle of a block of 1 MiB is written by a thread while another fills the block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (1u << 20)

static char *block;

static void *fill(void *arg)
{
    memset(block, 1, BYTES); /* race */
    return arg;
}

static void *touch(void *arg)
{
    block[BYTES / 2 + 5] = 2; /* race */
    return arg;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(BYTES);
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, touch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
    return 0;
}
