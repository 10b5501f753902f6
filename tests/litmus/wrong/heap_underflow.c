// The program reads memory in front of the block.
// expect: violation memory
#include <stdlib.h>

int main(void)
{
    int *volatile block = calloc(4, sizeof *block);
    int i = 3;
    while (block[i] == 0) /* violation */
        i--;
    free(block);
    return 0;
}
