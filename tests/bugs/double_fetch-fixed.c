/* double_fetch.c, repaired. It is read once. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int length = 4;
static char buffer[8];

static void *grow(void *unused)
{
    length = 100;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, grow, NULL);
    int used = length;
    if (used <= (int)sizeof buffer) {
        assert(used <= (int)sizeof buffer);
        buffer[used - 1] = 1;
    }
    pthread_join(t, NULL);
}
