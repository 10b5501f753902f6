// It is asked whether a thread is detached, and another thread may detach it before.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
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
    assert(state == PTHREAD_CREATE_JOINABLE); /* violation */
    pthread_join(other, NULL);
    sem_post(&end);
    return 0;
}
