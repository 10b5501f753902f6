// Two threads read one signal: it is there once, and one of them waits for ever.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
// also: --strategy brute => violation deadlock
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fd;

static void *reader(void *unused)
{
    struct signalfd_siginfo got;
    read(fd, &got, sizeof got);
    return unused;
}

int main(void)
{
    pthread_t a;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, 0);
    pthread_create(&a, NULL, reader, NULL);
    kill(getpid(), SIGUSR1);
    reader(NULL);
    pthread_join(a, NULL);
    return 0;
}
