// Signals that all threads block are read from a descriptor, the lowest number first; poll() tells of them.
// expect: verified
// also: --memory rc11 => verified
// also: --strategy brute => verified
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *sender(void *unused)
{
    kill(getpid(), SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t a;
    sigset_t set;
    struct signalfd_siginfo got[2];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC), waits = signalfd(-1, &set, 0);
    struct pollfd p = { fd, POLLIN, 0 };
    assert(read(fd, got, sizeof got) == -1 && errno == EAGAIN && poll(&p, 1, 0) == 0);
    assert(read(fd, got, sizeof got[0] - 1) == -1 && errno == EINVAL);
    raise(SIGUSR2);
    pthread_kill(pthread_self(), SIGUSR1);
    assert(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
    assert(read(fd, got, sizeof got) == sizeof got && got[0].ssi_signo == SIGUSR1);
    assert(got[0].ssi_code == SI_TKILL && got[1].ssi_signo == SIGUSR2);
    assert(got[1].ssi_pid == (unsigned)getpid() && read(fd, got, sizeof got) == -1);
    pthread_create(&a, NULL, sender, NULL);
    assert(read(waits, got, sizeof got) == sizeof got[0] && got[0].ssi_signo == SIGUSR1);
    assert(got[0].ssi_code == SI_USER);
    pthread_join(a, NULL);
    return 0;
}
