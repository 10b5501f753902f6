/* once_by_hand.c, repaired. pthread_once lets it wait. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int table[2];
static pthread_once_t begun = PTHREAD_ONCE_INIT;

static void fill(void)
{
    table[0] = 1;
    table[1] = 2;
}

static void *use(void *unused)
{
    pthread_once(&begun, fill);
    assert(table[1] == 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
