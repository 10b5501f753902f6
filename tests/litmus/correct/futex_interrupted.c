// A handler may end a wait at a futex; the loop looks again.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy source => verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void handle(int number) { (void)number; }

static void *wait_for_it(void *unused)
{
    while (ready == 0) {
        long failed = syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
        assert(!failed || errno == EAGAIN || errno == EINTR);
    }
    return unused;
}

int main(void)
{
    struct sigaction action = { .sa_handler = handle };
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_kill(thread, SIGUSR1);
    ready = 1;
    syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
