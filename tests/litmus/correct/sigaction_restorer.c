// expect: verified
// sa_restorer is the library's: a program need not write it.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void handler(int signal) { (void)signal; }

static void *install(void *unused)
{
    struct sigaction action;
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGUSR1, &action, NULL))
        abort();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, install, NULL);
    pthread_join(thread, NULL);
    return 0;
}
