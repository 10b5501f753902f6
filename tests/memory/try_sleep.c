// A thread tries to lock and sleeps after each failure.  An attempt may fail because of a state that is past;
// the mutex is free in the end, so the loop ends.
// case: => verified
// case: memory=tso => verified
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, hold, 0);
    while (pthread_mutex_trylock(&m) != 0)
        usleep(1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
