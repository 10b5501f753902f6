// Only one side is volatile: with --races volatile-ok, too, the plain access races with the atomic one.
// expect: violation data-race
// options: --races volatile-ok
#include <pthread.h>
#include <stddef.h>

static int flag;

static void *set(void *unused)
{
    *(volatile int *)&flag = 1; /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    int seen = flag; /* race */
    pthread_join(t, NULL);
    return seen > 1;
}
