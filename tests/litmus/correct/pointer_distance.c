// A pointer made of the distance between two objects reaches the other one.
// expect: no-violation-found
// options: --races off
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int x, array[4];

static void *work(void *unused)
{
    ptrdiff_t away = ((intptr_t)&x - (intptr_t)array) / (ptrdiff_t)sizeof x;
    array[away] = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    (void)array;
    pthread_create(&t, NULL, work, NULL);
    int seen = x;
    pthread_join(t, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
