// Both results of sincos reach shared memory, each as a write of its own.
// expect: verified
// cc-flags: -lm
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sine = 5, cosine = 5;
static float narrow_sine = 5, narrow_cosine = 5;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    sincos(0, &sine, &cosine);
    sincosf(0, &narrow_sine, &narrow_cosine);
    assert(sine == 0 && cosine == 1 && narrow_sine == 0 && narrow_cosine == 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
