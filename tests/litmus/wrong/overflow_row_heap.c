// expect: violation memory
// The index leaves a row of a table on the heap.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int (*table)[3];

static void use(int i)
{
    table = calloc(2, sizeof *table);
    table[0][i] = 1; /* violation */
    free(table);
}

static atomic_int index_ = 0;

static void *work(void *unused)
{
    index_ = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    use(index_);
    pthread_join(t, NULL);
    return 0;
}
