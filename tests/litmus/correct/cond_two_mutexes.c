// One after the other a condition variable may be used with two mutexes.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready[2];

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        while (!ready[i])
            pthread_cond_wait(&cond, &locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        ready[i] = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&locks[i]);
    }
    pthread_join(t, NULL);
    return 0;
}
