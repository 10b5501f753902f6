// abort() asks for the handler of SIGABRT, which another thread has made the one that leaves before.
// expect: verified
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static void leave(int signal_number) { _exit(signal_number - SIGABRT); }

static void *sets(void *unused)
{
    signal(SIGABRT, leave);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    pthread_join(t, NULL);
    abort();
}
