// A loop that looks and sleeps, for something that nobody does.
// expect: violation livelock
// options: --strategy stateful
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *really)
{
    pthread_mutex_lock(&lock);
    done = really != NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
        usleep(100);
    }
    pthread_join(t, NULL);
    return 0;
}
