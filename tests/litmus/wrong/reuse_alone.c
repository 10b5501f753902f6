// One thread: the address of the block that was freed is remembered, and may come back.
// expect: violation assertion
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *first = malloc(20);
    uintptr_t was = (uintptr_t)first;
    free(first);
    char *second = malloc(24);
    assert((char *)was != second); /* violation */
    free(second);
    return 0;
}
