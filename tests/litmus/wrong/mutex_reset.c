// The lock was recursive before the struct was cleared.
// expect: violation misuse
#include <pthread.h>
#include <string.h>

static struct {
    int n;
    pthread_mutex_t lock;
} all;

static void *work(void *unused)
{
    pthread_mutex_lock(&all.lock);
    pthread_mutex_lock(&all.lock); /* violation */
    all.n++;
    pthread_mutex_unlock(&all.lock);
    pthread_mutex_unlock(&all.lock);
    return unused;
}

static void play(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&all.lock, &attr);
    play();
    memset(&all, 0, sizeof all);
    play();
    return 0;
}
