// It is asked whether a thread is detached: before another one detaches it, it is not, and afterwards it is.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t worker;
static sem_t end;

static void *work(void *unused)
{
    sem_wait(&end);
    return unused;
}

static void *detaches(void *unused)
{
    pthread_detach(worker);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_attr_t attributes;
    int state;
    sem_init(&end, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, detaches, NULL);
    pthread_getattr_np(worker, &attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE || state == PTHREAD_CREATE_DETACHED);
    pthread_join(other, NULL);
    pthread_getattr_np(worker, &attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    sem_post(&end);
    return 0;
}
