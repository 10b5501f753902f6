/* The bug is at the beginning (a thread reads `first` before main has written it), and the many
 * interleavings of three busy threads are behind it: depth first, they all come before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work, first, second;

static void *busy(void *unused)
{
    for (int i = 0; i < 6; i++)
        atomic_fetch_add(&work, 1);
    return unused;
}

static void *late(void *unused)
{
    second = first + 1;
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[3], 0, late, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, busy, 0);
    first = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(second == 2);
}
