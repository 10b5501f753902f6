// A wait for a condition variable may end without a signal.  The verdict names the waits after which the program does not
// check its condition again, and no others.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static const struct timespec at = { 2000000000, 0 };
static struct {
    int ready, taken, waiters, stop;
} s;

static int is_ready(void) { return s.ready; }
static void just_wait(void) { pthread_cond_wait(&cond, &lock); }
static int wait_until(void) { return pthread_cond_timedwait(&cond, &lock, &at); }
static int take(void) { return ++s.taken; }

static int try_take(void)
{
    if (!s.ready)
        return 0;
    s.ready = 2;
    return 1;
}

/* A wake-up too many leads to another look at the condition. */
static void checked(int form)
{
    switch (form) {
    case 0:
        while (!s.ready)
            pthread_cond_wait(&cond, &lock);
        break;
    case 1:
        if (!s.ready)
            do
                pthread_cond_wait(&cond, &lock);
            while (!s.ready);
        break;
    case 2:
        while (!s.ready) {
            s.waiters++;
            pthread_cond_wait(&cond, &lock);
            s.waiters--;
        }
        break;
    case 3:
        while (!is_ready())
            pthread_cond_wait(&cond, &lock);
        break;
    case 4:
        while (!try_take())
            pthread_cond_wait(&cond, &lock);
        break;
    }
}

static void checked_otherwise(int form)
{
    int status = 0, seen = s.ready;
    switch (form) {
    case 5:
        while (!s.ready && status == 0)
            status = pthread_cond_timedwait(&cond, &lock, &at);
        take();
        break;
    case 6:
        while (status == 0 && !s.ready)
            status = pthread_cond_timedwait(&cond, &lock, &at);
        take();
        break;
    case 7:
        while (!s.ready)
            if (wait_until() == ETIMEDOUT)
                break;
        take();
        break;
    case 8:
        while (!s.ready && !s.stop)
            just_wait();
        break;
    case 9:
        for (;;) {
            if (s.ready)
                break;
            status = pthread_cond_wait(&cond, &lock);
            assert(status == 0);
            puts("woken");
        }
        break;
    case 10:
        while (!s.stop) {
            if (!s.ready) {
                pthread_cond_wait(&cond, &lock);
                if (pthread_mutex_unlock(&lock) != 0)
                    abort();
                pthread_mutex_lock(&lock);
                continue;
            }
            s.stop = 1;
        }
        break;
    case 11:
        while (!seen) {
            pthread_cond_wait(&cond, &lock);
            seen = s.ready;
        }
        break;
    case 12:
    again:
        if (!s.ready) {
            pthread_cond_wait(&cond, &lock);
            goto again;
        }
        break;
    }
}

/* The program takes every wake-up for a signal. */
static void not_checked(int form)
{
    int status = 0, item = 0, seen = s.ready;
    switch (form) {
    case 0:
        if (!s.ready)
            pthread_cond_wait(&cond, &lock); /* signalled */
        break;
    case 1:
        if (!s.ready)
            pthread_cond_wait(&cond, &lock); /* signalled */
        assert(s.ready);
        break;
    case 2: /* a loop, but what follows the wait is done before the next look */
        while (!s.stop) {
            if (!s.ready)
                pthread_cond_wait(&cond, &lock); /* signalled */
            s.ready--;
            s.stop = 1;
        }
        break;
    case 3:
        while (!s.stop) {
            if (!s.ready)
                just_wait(); /* signalled */
            s.stop = take();
        }
        break;
    case 4:
        while (item >= 0) {
            if (!s.ready)
                pthread_cond_wait(&cond, &lock); /* signalled */
            item = take() - 2;
            item = -1;
        }
        break;
    case 5: /* the loop looks at what was read before the wait */
        while (!seen) {
            pthread_cond_wait(&cond, &lock); /* signalled */
            seen++;
        }
        break;
    case 6:
        if (!s.ready)
            status = wait_until(); /* signalled */
        if (status == 0)
            take();
        break;
    case 7: /* nothing signals the second time */
        while (!s.ready && !s.stop) {
            pthread_cond_wait(&cond, &lock); /* signalled */
            take();
            s.stop = 1;
        }
        break;
    }
}

static void *wait_for_it(void *form)
{
    int which = *(int *)form;
    pthread_mutex_lock(&lock);
    if (which < 5)
        checked(which);
    else if (which < 13)
        checked_otherwise(which);
    else
        not_checked(which - 13);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int form = heddle_choose(21);
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, &form);
    pthread_mutex_lock(&lock);
    s.ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
