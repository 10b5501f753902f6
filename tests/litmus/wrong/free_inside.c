// A pointer into the middle of a block is not the block.
// expect: violation memory
#include <stdlib.h>

int main(void)
{
    int *block = malloc(4 * sizeof *block);
    block[1] = 1;
    free(block + 1); /* violation */
    return 0;
}
