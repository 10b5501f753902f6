/* use_before_init.c, repaired. The pointer is set first. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int settings = 3;
static _Atomic(int *) config;

static void *work(void *unused)
{
    int *mine = config;
    assert(*mine == 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    config = &settings;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
}
