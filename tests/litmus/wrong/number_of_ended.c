// The scheduling of a thread is asked for by its number, which it has until it ends, whether it is joined or not.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

static pid_t number;
static sem_t known;

static void *work(void *unused)
{
    number = gettid();
    sem_post(&known);
    return unused;
}

int main(void)
{
    pthread_t worker;
    sem_init(&known, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    sem_wait(&known);
    assert(sched_getscheduler(number) != -1); /* violation */
    pthread_join(worker, NULL);
    return 0;
}
