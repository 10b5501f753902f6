// The table grows while another thread still holds its old address.
// expect: violation memory
// options: --races off
// also: --races off --reduce source => violation memory
// also: --races off --reduce not-seen => violation memory
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *reader(void *unused)
{
    int *mine = table;
    mine[0] = 1; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    table = calloc(2, sizeof *table);
    pthread_create(&t, NULL, reader, NULL);
    table = realloc(table, 4 * sizeof *table);
    pthread_join(t, NULL);
    free(table);
    return 0;
}
