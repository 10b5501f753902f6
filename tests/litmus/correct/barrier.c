// Both write, meet, then read what the other wrote.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int part[2];

static void *work(void *which)
{
    int *mine = which;
    *mine = 1;
    pthread_barrier_wait(&barrier);
    assert(part[0] && part[1]);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, &part[0]);
    pthread_create(&b, NULL, work, &part[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
