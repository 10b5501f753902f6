// abort() asks for the handler of SIGABRT, which another thread may have taken away.
// expect: violation abort
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static void leave(int signal_number) { _exit(signal_number - SIGABRT); }

static void *resets(void *unused)
{
    signal(SIGABRT, SIG_DFL);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGABRT, leave);
    pthread_create(&t, NULL, resets, NULL);
    abort(); /* violation */
}
