/* A thread is started before the pointer that it follows has been set. */
// expect: violation crash
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
    pthread_create(&t, NULL, work, NULL);
    config = &settings;
    pthread_join(t, NULL);
}
