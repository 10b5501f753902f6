// The reader has the pointer and may be late: the block is freed under its hands.  Only one order is
// wrong, so the step that frees must be seen to conflict with the read.
// expect: violation memory
// options: --strategy optimal
// also: --reduce none => violation memory
// also: --reduce optimal => violation memory
// also: --reduce source => violation memory
// also: --reduce dpor => violation memory
// also: --reduce sleep => violation memory
// also: --reduce not-seen => violation memory
// also: --strategy scale => violation memory
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *reader(void *sum)
{
    *(int *)sum = *block; /* violation */
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&t, NULL, reader, &sum);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
