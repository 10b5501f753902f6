// expect: violation memory
#include <stdlib.h>

static void *(*volatile same)(void *);
static void *identity(void *p) { return p; }

int main(void)
{
    int local = 0;
    same = identity;
    free(same(&local)); /* violation */
    return 0;
}
