// The scheduling of a thread is asked for by its number, which it has until it ends, whether it is joined or not.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <assert.h>
#include <errno.h>
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
    if (sched_getscheduler(number) == -1)
        assert(errno == ESRCH);
    pthread_join(worker, NULL);
    assert(sched_getscheduler(number) == -1 && errno == ESRCH);
    return 0;
}
