// A thread that is created detached is joined.
// expect: violation misuse
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    assert(sigismember(&now, SIGUSR1));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr, old;
    size_t size;
    int value;
    sigset_t set;
    struct sched_param param = { 0 };
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setguardsize(&attr, 4096) == 0);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setschedpolicy(&attr, SCHED_OTHER) == 0);
    assert(pthread_attr_setschedparam(&attr, &param) == 0);
    assert(pthread_attr_setsigmask_np(&attr, &set) == 0);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attr, &value) == 0);
    assert(value == PTHREAD_CREATE_DETACHED);
    assert(pthread_getattr_default_np(&old) == 0 && pthread_setattr_default_np(&old) == 0);
    assert(pthread_create(&t, &attr, work, NULL) == 0);
    pthread_attr_destroy(&attr);
    pthread_join(t, NULL); /* violation */
    return 0;
}
