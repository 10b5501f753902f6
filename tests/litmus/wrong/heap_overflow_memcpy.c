// The source is shorter than what is copied from it.
// expect: violation memory
#include <stdlib.h>
#include <string.h>

static char target[32];

int main(void)
{
    char *source = calloc(1, 20);
    memcpy(target, source, sizeof target); /* violation */
    free(source);
    return 0;
}
