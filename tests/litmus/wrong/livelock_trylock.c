// Two locks in opposite orders, the second one tried for: the thread that does not get it gives back the first and
// begins again.  No deadlock; both can do so for ever.
// expect: violation livelock
// options: --strategy stateful
// also: --memory rc11 --depth 40 => no-violation-found
// also: --memory tso --depth 40 => no-violation-found
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void *both(void *arg)
{
    long a = (long)arg, b = 1 - a;
    for (;;) {
        pthread_mutex_lock(&lock[a]);
        if (pthread_mutex_trylock(&lock[b]) == 0)
            break;
        pthread_mutex_unlock(&lock[a]);
    }
    pthread_mutex_unlock(&lock[b]);
    pthread_mutex_unlock(&lock[a]);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, both, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
