// Nobody in the parent can end the wait, but the child may (by its signal SIGCHLD): that is no deadlock.
// expect: no-violation-found
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *waiter(void *unused)
{
    sigset_t set;
    int sig;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigwait(&set, &sig);
    return unused;
}

int main(void)
{
    pthread_t a;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, waiter, NULL);
    if (fork() == 0)
        _exit(0);
    pthread_join(a, NULL);
    return 0;
}
