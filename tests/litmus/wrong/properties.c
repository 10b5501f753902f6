// pthread_setschedprio changes the priority.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

static void *work(void *unused)
{
    char name[16];
    int policy;
    struct sched_param param = { .sched_priority = 7 };
    cpu_set_t cpus, got;
    pthread_attr_t attr;
    void *stack;
    size_t size;
    clockid_t clock;
    pthread_t self = pthread_self();
    assert(pthread_setname_np(self, "a name that is too long") == ERANGE);
    assert(pthread_setname_np(self, "worker") == 0);
    assert(pthread_getname_np(self, name, 3) == ERANGE);
    assert(pthread_getname_np(self, name, sizeof name) == 0 && strcmp(name, "worker") == 0);
    assert(pthread_setschedparam(self, SCHED_RR, &param) == 0);
    assert(pthread_setschedprio(self, 8) == 0);
    assert(pthread_getschedparam(self, &policy, &param) == 0);
    assert(policy == SCHED_RR && param.sched_priority == 7); /* violation */
    CPU_ZERO(&cpus);
    assert(pthread_setaffinity_np(self, sizeof cpus, &cpus) == EINVAL);
    CPU_SET(0, &cpus);
    assert(pthread_setaffinity_np(self, sizeof cpus, &cpus) == 0);
    assert(pthread_getaffinity_np(self, sizeof got, &got) == 0 && CPU_EQUAL(&cpus, &got));
    assert(pthread_getattr_np(self, &attr) == 0);
    assert(pthread_attr_getstack(&attr, &stack, &size) == 0);
    assert((char *)&attr > (char *)stack && (char *)&attr < (char *)stack + size);
    pthread_attr_destroy(&attr);
    assert(pthread_getcpuclockid(self, &clock) == 0);
    assert(pthread_setconcurrency(3) == 0 && pthread_getconcurrency() == 3);
    return unused;
}

static void nothing(void) {}

int main(void)
{
    pthread_t t;
    assert(pthread_atfork(nothing, nothing, nothing) == 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
