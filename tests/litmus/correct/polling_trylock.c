// expect: verified
// options: --strategy auto
// also: --strategy optimal --polls 1 => verified
// also: --memory rc11 => verified
// also: --memory tso => verified
// Every attempt may come at the wrong moment; there are only so many.  The loop waits for the lock, so turns
// are not counted.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    for (int i = 0; i < 3; i++) {
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
