// A loop around a wait that counts its turns, or looks at something else, relies on signals like a wait without a loop.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static const struct timespec at = { 2000000000, 0 };
static struct {
    int ready, waiters, stop;
} s;

/* Loops in which a wake-up too many changes something, or that look at something else. */
static void counted(int form)
{
    int tries = 1, slept = 0;
    switch (form) {
    case 0:
        for (int i = 0; i < 1 && !s.ready; i++)
            pthread_cond_wait(&cond, &lock); /* signalled */
        break;
    case 1:
        while (!s.ready && tries-- > 0)
            pthread_cond_wait(&cond, &lock); /* signalled */
        break;
    case 2:
        while (!s.ready && s.waiters < 1) {
            s.waiters++;
            pthread_cond_wait(&cond, &lock); /* signalled */
        }
        break;
    case 3:
        while (!s.ready) {
            slept++;
            pthread_cond_wait(&cond, &lock); /* signalled */
        }
        assert(slept <= 1);
        break;
    case 4:
        if (!s.ready)
            do
                pthread_cond_wait(&cond, &lock); /* signalled */
            while (s.stop);
        break;
    case 5:
        do {
            if (s.ready)
                break;
            pthread_cond_wait(&cond, &lock); /* signalled */
        } while (s.stop);
        break;
    }
}

/* Counting is all right in an outer loop, and where time has ended the wait. */
static void counted_elsewhere(void)
{
    int late = 0;
    for (int i = 0; i < 2; i++)
        while (!s.ready)
            pthread_cond_wait(&cond, &lock);
    while (!s.ready && late < 2)
        if (pthread_cond_timedwait(&cond, &lock, &at) == ETIMEDOUT)
            late++;
}

static void *wait_for_it(void *form)
{
    int which = *(int *)form;
    pthread_mutex_lock(&lock);
    if (which < 6)
        counted(which);
    else
        counted_elsewhere();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int form = heddle_choose(7);
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, &form);
    pthread_mutex_lock(&lock);
    s.ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
