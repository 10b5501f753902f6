// A thread polls a flag while it holds a lock that it never gives back; the other thread would set the flag
// if it had the lock.  The other cannot move anywhere on the cycle.
// expect: violation livelock
// options: --strategy stateful
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag, other;

static void *poll(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!flag) {
        other = !other;
        sched_yield();
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *set(void *unused)
{
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, poll, 0);
    pthread_create(&t[1], 0, set, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
