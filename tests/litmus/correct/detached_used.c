// A thread is detached, given a name and sent a signal before it may end; by number it may be asked for later.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t known, end;
static pid_t number;

static void *work(void *unused)
{
    number = gettid();
    sem_post(&known);
    sem_wait(&end);
    return unused;
}

int main(void)
{
    pthread_t worker;
    sem_init(&known, 0, 0);
    sem_init(&end, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    pthread_detach(worker);
    pthread_setname_np(worker, "worker");
    pthread_kill(worker, 0);
    sem_wait(&known);
    sem_post(&end);
    if (sched_getscheduler(number) == -1 && errno != ESRCH)
        abort();
    return 0;
}
