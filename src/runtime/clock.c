/* Virtual time.  The clock is one object of the model: reading it moves it on by a microsecond,
 * sleeping by the time slept, so its readings never go back and depend on nothing but the
 * schedule.  A sleep lasts at least as long as asked: any other thread may run before it
 * ends. */
#include "runtime/cancel.h"
#include "runtime/timer.h"
#include "runtime/view.h"

#include "core/site.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EPOCH_NS 1700000000000000000ull /* where CLOCK_REALTIME starts */
#define NS 1000000000ull

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));

/* Does the program read the clock?  A clock that is never read stands still, so that a loop
 * that sleeps can return to an earlier state. */
static bool looked_at(void) { return !__start_heddle_info || __start_heddle_info->reads_clock; }

static uint64_t advance(enum hd_op op, uint64_t by_ns, void *result, uint32_t bytes)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!rt->solo_fast)
        hd_act(op, &model->clock_ns, result, bytes, site);
    if (looked_at() && !(hd_thread_now()->eintr & HD_EINTR_NOW))
        HD_SET(model->clock_ns, model->clock_ns + by_ns);
    if (result)
        hd_log_range(result, bytes);
    return model->clock_ns;
}

/* The step of reading the time into `bytes` bytes at `result` (NULL: it is only returned). */
static uint64_t reading(clockid_t id, void *result, uint32_t bytes)
{
    hd_orders_less(HD_LESS_CLOCK);
    uint64_t ns = advance(HD_OP_CLOCK, 1000, result, result ? bytes : 0);
    return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI ? EPOCH_NS + ns
                                                                                  : ns;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    uint64_t ns = reading(id, ts, sizeof *ts);
    struct timespec now = { (time_t)(ns / NS), (long)(ns % NS) };
    hd_view_write(rt->cur, ts, &now, sizeof now);
    return 0;
}

int timespec_get(struct timespec *ts, int base)
{
    clock_gettime(CLOCK_REALTIME, ts);
    return base;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    (void)tz;
    uint64_t ns = reading(CLOCK_REALTIME, tv, sizeof *tv);
    struct timeval now = { (time_t)(ns / NS), (suseconds_t)(ns % NS / 1000) };
    hd_view_write(rt->cur, tv, &now, sizeof now);
    return 0;
}

time_t time(time_t *out)
{
    time_t t = (time_t)(reading(CLOCK_REALTIME, out, sizeof *out) / NS);
    if (out)
        hd_view_write(rt->cur, out, &t, sizeof t);
    return t;
}

clock_t clock(void) { return (clock_t)(reading(CLOCK_PROCESS_CPUTIME_ID, NULL, 0) / 1000); }

static int sleep_ns(uint64_t ns)
{
    uint32_t site = __heddle_call_site;
    hd_cancel_point(site);
    __heddle_call_site = site; /* others may have run */
    hd_rt_prepare();
    if (hd_polls_too_long(site))
        hd_polls_stop(site);
    uint32_t moment = hd_timer_moment();
    advance(HD_OP_SLEEP, ns, NULL, 1); /* a size: a handler may end it (interrupt.c) */
    bool ends = hd_interrupted();
    if (!ends)
        hd_timer_passed(moment, ns, site);
    if (hd_cancel_came())
        hd_cancel_act();
    return ends ? EINTR : 0;
}

/* A handler has ended the sleep: all of it is left. */
static void tell_left(uint64_t ns, struct timespec *left)
{
    struct timespec t = { (time_t)(ns / NS), (long)(ns % NS) };
    if (!left)
        return;
    hd_log_range(left, sizeof *left);
    hd_view_write(rt->cur, left, &t, sizeof t);
}

bool hd_deadline(int clock, const struct timespec *theirs, uint64_t *ns)
{
    struct timespec at;
    hd_view_load(rt->cur, theirs, &at, sizeof at);
    if (at.tv_nsec < 0 || at.tv_nsec >= (long)NS)
        return false;
    uint64_t t = at.tv_sec < 0 ? 0 : (uint64_t)at.tv_sec * NS + (uint64_t)at.tv_nsec;
    uint64_t begin = clock == CLOCK_REALTIME ? EPOCH_NS : 0;
    *ns = t > begin ? t - begin : 0;
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

bool hd_deadline_never(uint64_t ns)
{
    return ns != 0 && rt->shared && rt->shared->options.no_timeouts;
}

/* Under a weak memory model what the clock says is known in a step on it only. */
uint64_t hd_clock_now(uint32_t site)
{
    if (rt->weak && !rt->solo_fast && looked_at())
        hd_act(HD_OP_CLOCK, &model->clock_ns, NULL, 0, site);
    return model->clock_ns;
}

void hd_clock_reach(uint64_t ns, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_SLEEP, &model->clock_ns, NULL, 0, site);
    if (model->clock_ns < ns && looked_at())
        HD_SET(model->clock_ns, ns);
}

/* The interval that the program gives, in nanoseconds; false if it is invalid. */
static bool interval(const struct timespec *theirs, uint64_t *ns)
{
    struct timespec t;
    hd_view_load(rt->cur, theirs, &t, sizeof t);
    *ns = (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
    return t.tv_nsec >= 0 && t.tv_nsec < (long)NS && t.tv_sec >= 0;
}

int nanosleep(const struct timespec *ts, struct timespec *left)
{
    uint64_t ns;
    if (!interval(ts, &ns)) {
        errno = EINVAL;
        return -1;
    }
    int error = sleep_ns(ns);
    if (!error)
        return 0;
    tell_left(ns, left);
    errno = error;
    return -1;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *ts, struct timespec *left)
{
    uint64_t ns;
    if (!interval(ts, &ns))
        return EINVAL;
    if (flags & TIMER_ABSTIME) {
        uint64_t now = model->clock_ns + (id == CLOCK_REALTIME ? EPOCH_NS : 0);
        ns = ns > now ? ns - now : 0;
    }
    int error = sleep_ns(ns);
    if (error && !(flags & TIMER_ABSTIME))
        tell_left(ns, left);
    return error;
}

unsigned sleep(unsigned seconds) { return sleep_ns(seconds * NS) ? seconds : 0; }

int usleep(useconds_t us)
{
    int error = sleep_ns(us * 1000ull);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int sched_yield(void)
{
    uint32_t site = hd_take_site();
    if (hd_polls_too_long(site))
        hd_polls_stop(site);
    if (!rt->solo_fast)
        hd_act(HD_OP_YIELD, NULL, NULL, 0, site);
    return 0;
}

int pthread_yield(void);
int pthread_yield(void) { return sched_yield(); }
