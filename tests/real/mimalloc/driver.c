/* mimalloc: a block is freed by another thread than the one that has allocated it, which collects and allocates
 * meanwhile.  With -DBUG the block is still in use. */
#include <assert.h>
#include <mimalloc.h>
#include <pthread.h>

static void *give_back(void *block)
{
    assert(*(int *)block == 1);
    mi_free(block);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int *a = mi_malloc(sizeof *a), *b;
    *a = 1;
    assert(pthread_create(&thread, NULL, give_back, a) == 0);
#ifdef BUG
    *a = 1;
#endif
    mi_collect(false);
    b = mi_malloc(sizeof *b);
    *b = 2;
    pthread_join(thread, NULL);
    assert(*b == 2);
    mi_free(b);
    return 0;
}
