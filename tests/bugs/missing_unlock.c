/* On an error the function returns without giving the lock back. */
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int room = 1;

static int reserve(void)
{
    pthread_mutex_lock(&lock);
    if (room == 0) {
        return -1;
    }
    room--;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    room++;
    pthread_mutex_unlock(&lock);
}

static void *guest(void *unused)
{
    if (reserve() == 0)
        leave();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, guest, NULL);
    if (reserve() == 0)
        leave();
    pthread_join(t, NULL);
}
