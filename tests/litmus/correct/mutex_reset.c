// A lock is made anew by its bytes while nobody uses it: by an assignment, by clearing what it is in, by
// an initialisation of cleared bytes.  Each time it was locked, and is free afterwards.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    int n;
    pthread_mutex_t lock;
} all = { 0, PTHREAD_MUTEX_INITIALIZER };

static void *work(void *unused)
{
    pthread_mutex_lock(&all.lock);
    all.n++;
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
    pthread_mutex_lock(&all.lock);
}

int main(void)
{
    play();
    all.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    play();
    assert(all.n == 4);
    memset(&all, 0, sizeof all);
    play();
    memset(&all.lock, 0, sizeof all.lock);
    pthread_mutex_init(&all.lock, NULL);
    play();
    assert(all.n == 4);
    return 0;
}
