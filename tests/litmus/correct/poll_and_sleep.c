// A loop that looks under a lock and sleeps comes back to the state it was in: nobody asks what time it
// is, so that passing is no change.
// expect: verified
// options: --strategy stateful
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
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
