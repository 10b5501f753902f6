/* C11 threads: glibc's types are those of pthreads under other names, and so is the model. */
#include "runtime/rt.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>

static int status(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

int thrd_create(thrd_t *thread, thrd_start_t routine, void *arg)
{
    return status(pthread_create(thread, NULL, (void *(*)(void *))(uintptr_t)routine, arg));
}

int thrd_join(thrd_t thread, int *result)
{
    return status(hd_thread_join(thread, result, sizeof *result, hd_take_site()));
}

void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
int thrd_detach(thrd_t thread) { return status(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) { sched_yield(); }

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return nanosleep(time, left) == 0 ? 0 : -2; /* it fails only for an invalid time */
}

int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                                          : PTHREAD_MUTEX_NORMAL);
    return status(pthread_mutex_init((pthread_mutex_t *)mutex, &attr));
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }
int mtx_lock(mtx_t *mutex) { return status(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return status(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_unlock(mtx_t *mutex) { return status(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict at)
{
    return status(pthread_mutex_timedlock((pthread_mutex_t *)mutex, at));
}

int cnd_init(cnd_t *cond) { return status(pthread_cond_init((pthread_cond_t *)cond, NULL)); }
void cnd_destroy(cnd_t *cond) { pthread_cond_destroy((pthread_cond_t *)cond); }
int cnd_signal(cnd_t *cond) { return status(pthread_cond_signal((pthread_cond_t *)cond)); }
int cnd_broadcast(cnd_t *cond) { return status(pthread_cond_broadcast((pthread_cond_t *)cond)); }

int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    return status(pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict at)
{
    return status(pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, at));
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return status(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return status(pthread_setspecific(key, value)); }

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once(&flag->__data, routine); }
