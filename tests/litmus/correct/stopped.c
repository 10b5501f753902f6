// expect: verified
// The program handles one signal that would stop it and ignores another; SIGCONT does nothing.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void note(int sig) { asked += sig == SIGTSTP; }

static void *work(void *unused)
{
    signal(SIGTSTP, note);
    signal(SIGTTIN, SIG_IGN);
    raise(SIGTSTP);
    raise(SIGTTIN);
    raise(SIGCONT);
    assert(asked == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
