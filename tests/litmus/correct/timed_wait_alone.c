// The only thread waits with a deadline, twice, and then works with another.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

static void *work(void *unused)
{
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec at = { 2000000000, 0 }, now;
    sem_init(&sem, 0, 0);
    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&cond, &lock, &at) == ETIMEDOUT);
    assert(sem_timedwait(&sem, &at) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= at.tv_sec);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&sem);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
