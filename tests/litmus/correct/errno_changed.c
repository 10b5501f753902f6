// The handler changes errno: what that does to its thread between two steps was not explored, and the result
// says so.
// expect: no-violation-found
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void handler(int number)
{
    close(-1);
    (void)number;
}

static void *work(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
