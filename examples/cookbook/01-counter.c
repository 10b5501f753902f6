/* A counter that several threads raise.  With -DFIXED the increment is atomic. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
static atomic_int hits;
#else
static int hits;
#endif

static void *visit(void *unused)
{
    hits++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2);
}
