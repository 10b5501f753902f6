// One thread, no choice; the block never leaves the function, so an optimiser could drop all of it.
// expect: violation memory
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof *block);
    free(block);
    free(block); /* violation */
    return 0;
}
