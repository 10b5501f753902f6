// The barrier waits for three threads, but the program has only two.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
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
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, work, &part[0]);
    pthread_create(&b, NULL, work, &part[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
