// A signal inside an atomic section wakes one of two waiters, either of them.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --strategy stateful => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait(void *number)
{
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&cond, &lock);
    assert(number == NULL); /* violation */
    exit(0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait, NULL);
    pthread_create(&threads[1], NULL, wait, &lock);
    pthread_mutex_lock(&lock);
    if (waiting == 2) {
        heddle_atomic_begin();
        pthread_cond_signal(&cond);
        heddle_atomic_end();
    } else {
        exit(0);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
    return 0;
}
