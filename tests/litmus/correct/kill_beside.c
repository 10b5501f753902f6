// A signal that is ignored is sent to a thread, whether it has ended or not.
// expect: verified
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    signal(SIGTERM, SIG_IGN);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGTERM);
    pthread_join(t, NULL);
    return 0;
}
