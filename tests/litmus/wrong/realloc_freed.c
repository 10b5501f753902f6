// expect: violation memory
#include <stdlib.h>

int main(void)
{
    char *volatile block = malloc(3);
    free(block);
    block = realloc(block, 5); /* violation */
    free(block);
    return 0;
}
