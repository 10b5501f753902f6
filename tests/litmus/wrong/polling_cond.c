// expect: violation livelock
// options: --strategy auto
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => violation livelock
// Nobody sets the flag: the loop goes round for ever.  A search over executions stops after some turns and says
// so; one over states sees that nothing else can happen.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void in_a_moment(struct timespec *at)
{
    clock_gettime(CLOCK_REALTIME, at);
    at->tv_nsec += 500000000;
    if (at->tv_nsec >= 1000000000) {
        at->tv_sec++;
        at->tv_nsec -= 1000000000;
    }
}

static void *get_ready(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c); /* but it is not */
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, get_ready, 0);
    pthread_mutex_lock(&m);
    while (!ready) {
        struct timespec at;
        in_a_moment(&at);
        pthread_cond_timedwait(&c, &m, &at);
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
