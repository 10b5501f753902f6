/* A length is checked, then read again to be used: in between it has grown. */
// expect: violation assertion
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
    if (length <= (int)sizeof buffer) {
        int used = length;
        assert(used <= (int)sizeof buffer);
        buffer[used - 1] = 1;
    }
    pthread_join(t, NULL);
}
