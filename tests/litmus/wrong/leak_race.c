// Two threads see that there is no table yet; one of the two they make is lost.
// expect: violation memory
// options: --races off --leaks
// also: --races off --leaks --reduce source => violation memory
// also: --races off --leaks --reduce none => violation memory
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *use(void *unused)
{
    if (!table)
        table = malloc(8 * sizeof *table); /* violation */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
