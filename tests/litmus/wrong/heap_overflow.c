// One byte after the block, which is inside the slot that the allocator made for it.
// expect: violation memory
#include <stdlib.h>

int main(void)
{
    char *volatile block = malloc(10);
    for (int i = 0; i <= 10; i++)
        block[i] = 'x'; /* violation */
    free(block);
    return 0;
}
