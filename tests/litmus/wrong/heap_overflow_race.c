// Two threads append to a table that has room for both, each with the length it has seen: the
// second write is beyond the end only if both increments come before it.
// expect: violation memory
// options: --races off
// also: --races off --reduce not-seen => violation memory
// also: --races off --reduce none => violation memory
// also: --races off --reduce source => violation memory
#include <pthread.h>
#include <stdlib.h>

static char *table;
static int length;

static void *append(void *unused)
{
    length++;
    table[length] = 'x'; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    table = malloc(2);
    length = -1;
    pthread_create(&t, NULL, append, NULL);
    append(NULL);
    length++;
    pthread_join(t, NULL);
    free(table);
    return 0;
}
