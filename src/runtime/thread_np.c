/* Properties of a thread that do not change its behaviour: name, processors, scheduling.  They
 * are stored and returned; every order of steps is explored whatever a priority says.
 * Arguments are read before the call's own step, because the read was announced before the
 * call. */
#include "runtime/state.h"
#include "runtime/view.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Whom a call is about: by id, or by number as gettid() gives them. */
struct whom {
    pthread_t id;
    bool by_number;
    uint32_t site;
};

static struct whom by_id(pthread_t id) { return (struct whom){ id, false, hd_take_site() }; }

/* 0 is the caller. */
static struct whom by_number(pid_t number)
{
    hd_rt_prepare();
    pthread_t id = number == 0 ? (pthread_t)rt->cur + 1 : (pthread_t)(number - getpid()) + 1;
    return (struct whom){ id, true, hd_take_site() };
}

/* Other than an id, the number of a thread may be used after its end, but means nobody.  That
 * of the first thread is the number of the process. */
static bool is_number_gone(uint32_t thread)
{
    return thread && (model->threads[thread].flags & (HD_THREAD_OVER | HD_THREAD_EXITED));
}

/* A step on the properties of a thread, whose results go to `bytes` at `result`.  Returns NULL
 * if the thread's number has been given and is no longer one. */
static struct hd_properties *properties(const struct whom *w, enum hd_op op, void *result,
                                        uint32_t bytes)
{
    hd_thread_of(w->id, "a call about the properties", w->site);
    uint32_t thread = (uint32_t)w->id - 1;
    hd_symmetry_tell(thread, "one of them has properties of its own");
    struct hd_properties *p = &model->properties[thread];
    if (!rt->solo_fast)
        hd_act(op, p, result, bytes, w->site);
    if (w->by_number && is_number_gone(thread))
        return NULL;
    if (!w->by_number)
        hd_thread_not_gone(thread, "a call about the properties", w->site);
    if (result)
        hd_log_range(result, bytes);
    else
        hd_log_range(p, sizeof *p);
    return p;
}

int pthread_setname_np(pthread_t id, const char *name)
{
    struct whom w = by_id(id);
    char kept[sizeof model->properties[0].name] = { 0 };
    if (strlen(name) >= sizeof kept)
        return ERANGE;
    strcpy(kept, name);
    memcpy(properties(&w, HD_OP_ATTR_SET, NULL, 0)->name, kept, sizeof kept);
    if (rt->mode == HD_REPLAYING)
        hd_replay_name((uint32_t)id - 1, kept);
    return 0;
}

int pthread_getname_np(pthread_t id, char *name, size_t size)
{
    struct whom w = by_id(id);
    if (size < sizeof model->properties[0].name)
        return ERANGE;
    const struct hd_properties *p = properties(&w, HD_OP_ATTR_GET, name,
                                               sizeof model->properties[0].name);
    const char *text = p->name[0] ? p->name : program_invocation_short_name;
    size_t n = strnlen(text, sizeof p->name - 1);
    hd_view_write(rt->cur, name, text, n);
    hd_view_fill(rt->cur, name + n, 0, 1);
    return 0;
}

static int set_affinity(struct whom w, size_t size, const cpu_set_t *cpus)
{
    uint64_t kept[sizeof model->properties[0].cpus / 8] = { 0 };
    bool none = CPU_COUNT_S(size, cpus) == 0;
    hd_view_load(rt->cur, cpus, kept, size < sizeof kept ? size : sizeof kept);
    struct hd_properties *p = properties(&w, HD_OP_ATTR_SET, NULL, 0);
    if (!p)
        return ESRCH;
    if (none)
        return EINVAL;
    memcpy(p->cpus, kept, sizeof kept);
    return 0;
}

static int get_affinity(struct whom w, size_t size, cpu_set_t *cpus)
{
    const struct hd_properties *p = properties(&w, HD_OP_ATTR_GET, cpus, (uint32_t)size);
    if (!p)
        return ESRCH;
    hd_view_fill(rt->cur, cpus, 0, size);
    hd_view_write(rt->cur, cpus, p->cpus, size < sizeof p->cpus ? size : sizeof p->cpus);
    if (CPU_COUNT_S(size, cpus) == 0 &&
        hd_syscall(SYS_sched_getaffinity, 0, (long)size, (long)(uintptr_t)cpus, 0, 0, 0) < 0)
        return EINVAL;
    return 0;
}

int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *cpus)
{
    return set_affinity(by_id(id), size, cpus);
}

int pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *cpus)
{
    return get_affinity(by_id(id), size, cpus);
}

static int as_errno(int error)
{
    errno = error;
    return error ? -1 : 0;
}

int sched_setaffinity(pid_t number, size_t size, const cpu_set_t *cpus)
{
    return as_errno(set_affinity(by_number(number), size, cpus));
}

int sched_getaffinity(pid_t number, size_t size, cpu_set_t *cpus)
{
    return as_errno(get_affinity(by_number(number), size, cpus));
}

/* All threads run on one processor; no program can rely on which. */
int sched_getcpu(void)
{
    hd_take_site();
    return 0;
}

static int set_scheduling(struct whom w, int policy, const struct sched_param *param)
{
    if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
        return EINVAL;
    int priority;
    hd_view_load(rt->cur, &param->sched_priority, &priority, sizeof priority);
    struct hd_properties *p = properties(&w, HD_OP_ATTR_SET, NULL, 0);
    if (!p)
        return ESRCH;
    p->policy = policy;
    p->priority = priority;
    return 0;
}

static int get_scheduling(struct whom w, int *restrict policy, struct sched_param *restrict param)
{
    const struct hd_properties *p = properties(&w, HD_OP_ATTR_GET, policy, sizeof *policy);
    if (!p)
        return ESRCH;
    hd_log_range(param, sizeof *param);
    hd_view_write(rt->cur, policy, &p->policy, sizeof *policy);
    hd_view_write(rt->cur, &param->sched_priority, &p->priority, sizeof p->priority);
    return 0;
}

int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *param)
{
    return set_scheduling(by_id(id), policy, param);
}

int pthread_getschedparam(pthread_t id, int *restrict policy, struct sched_param *restrict param)
{
    return get_scheduling(by_id(id), policy, param);
}

int sched_setscheduler(pid_t number, int policy, const struct sched_param *param)
{
    return as_errno(set_scheduling(by_number(number), policy, param));
}

int sched_getscheduler(pid_t number)
{
    struct sched_param param;
    int policy;
    return as_errno(get_scheduling(by_number(number), &policy, &param)) ? -1 : policy;
}

int pthread_setschedprio(pthread_t id, int priority)
{
    struct whom w = by_id(id);
    properties(&w, HD_OP_ATTR_SET, NULL, 0)->priority = priority;
    return 0;
}

int pthread_setconcurrency(int level)
{
    uint32_t site = hd_take_site();
    if (level < 0)
        return EINVAL;
    if (!rt->solo_fast)
        hd_act(HD_OP_ATTR_SET, &model->concurrency, NULL, 0, site);
    HD_SET(model->concurrency, (uint64_t)level);
    return 0;
}

int pthread_getconcurrency(void)
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast)
        hd_act(HD_OP_ATTR_GET, &model->concurrency, NULL, 0, site);
    return (int)model->concurrency;
}

int pthread_getcpuclockid(pthread_t id, clockid_t *clock)
{
    struct whom w = by_id(id);
    properties(&w, HD_OP_ATTR_GET, clock, sizeof *clock);
    clockid_t one = CLOCK_THREAD_CPUTIME_ID; /* virtual time is one for all */
    hd_view_write(rt->cur, clock, &one, sizeof one);
    return 0;
}

int pthread_getattr_np(pthread_t id, pthread_attr_t *attr)
{
    struct whom w = by_id(id);
    properties(&w, HD_OP_ATTR_GET, attr, sizeof *attr);
    uint32_t flags = model->threads[id - 1].flags;
    uint64_t end = HD_STACK_BASE + id * HD_STACK_STRIDE;
    pthread_attr_init(attr);
    uint64_t bytes = rt->fibers[id - 1].bytes;
    pthread_attr_setstack(attr, (void *)(end - bytes), bytes);
    pthread_attr_setdetachstate(attr, flags & HD_THREAD_DETACHED ? PTHREAD_CREATE_DETACHED
                                                                 : PTHREAD_CREATE_JOINABLE);
    return 0;
}

/* Defaults of attributes without effect have no effect. */
int pthread_setattr_default_np(const pthread_attr_t *attr)
{
    int state;
    hd_take_site();
    pthread_attr_getdetachstate(attr, &state);
    return state == PTHREAD_CREATE_DETACHED ? EINVAL : 0;
}
