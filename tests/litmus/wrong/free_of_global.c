// expect: violation memory
#include <stdlib.h>

static int global;

int main(void)
{
    int *volatile p = &global;
    global = 1;
    free(p); /* violation */
    return 0;
}
