// As livelock_trylock beside it with the locks in one order: who has the first one gets the second, and
// an attempt fails only while the other thread, which can move, has not given the lock back.
// expect: verified
// options: --strategy stateful
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void *both(void *unused)
{
    while (pthread_mutex_trylock(&lock[0]) != 0)
        ;
    while (pthread_mutex_trylock(&lock[1]) != 0)
        ;
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, both, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
