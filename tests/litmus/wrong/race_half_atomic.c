// One access is atomic and the other is not: a race.
// expect: violation data-race
#include <pthread.h>
#include <stddef.h>

static int hits;

static void *count(void *unused)
{
    __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST); /* race */
    return unused;
}

static void *reset(void *unused)
{
    hits = 0; /* race */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, reset, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
