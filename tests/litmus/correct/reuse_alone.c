// The block is freed after the comparison; blocks of other sizes do not get its address.
// expect: verified
// options: --reuse all
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *first = malloc(20);
    char *second = malloc(24);
    assert(first != second);
    free(first);
    char *large = malloc(200);
    assert(large != second);
    free(second);
    free(large);
    return 0;
}
