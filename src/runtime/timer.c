#include "runtime/timer.h"

#include "runtime/cancel.h"
#include "runtime/fd.h"
#include "runtime/memory.h"
#include "runtime/notes.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

#define NS 1000000000ull

static struct hd_fds *fds(void) { return &model->fds; }

int timerfd_create(int clock, int flags)
{
    uint32_t site = hd_take_site();
    if (!hd_ready || rt->mode == HD_PLAIN)
        return ((int (*)(int, int))(uintptr_t)hd_real("timerfd_create"))(clock, flags);
    if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        return hd_io_fail(EPERM);
    if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) ||
        flags & ~(TFD_CLOEXEC | TFD_NONBLOCK))
        return hd_io_fail(EINVAL);
    hd_fd_change(site);
    struct hd_channel *c = hd_channel_new();
    struct hd_file *f = hd_file_new(HD_FILE_TIMER, flags & TFD_NONBLOCK);
    c->is_event = 1;
    c->timer.is = 1;
    c->timer.clock = (uint32_t)clock;
    f->in = hd_channel_index(c);
    HD_SET(fds()->n_timers, fds()->n_timers + 1);
    return hd_fd_new(f, 0, flags & TFD_CLOEXEC);
}

/* The channel of a timer; NULL with errno. */
static struct hd_channel *timer_of(int fd, uint32_t site)
{
    const struct hd_file *f = hd_fd_use(fd, site);
    if (f && f->kind == HD_FILE_TIMER)
        return hd_channel_in(f);
    errno = f ? EINVAL : EBADF;
    return NULL;
}

static bool span(const struct timespec *t, uint64_t *ns)
{
    *ns = (uint64_t)t->tv_sec * NS + (uint64_t)t->tv_nsec;
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)NS;
}

static void tell(const struct hd_timer *t, uint64_t now, struct itimerspec *theirs, uint32_t site)
{
    uint64_t left = 0;
    if (t->armed) /* some of it is left until it expires */
        left = t->deadline > now ? t->deadline - now : 1;
    struct itimerspec is = {
        .it_interval = { (time_t)(t->interval / NS), (long)(t->interval % NS) },
        .it_value = { (time_t)(left / NS), (long)(left % NS) },
    };
    __heddle_store_n(theirs, &is, sizeof is, site);
}

uint32_t hd_timer_moment(void) { return fds()->timer_moment; }

/* Begin again: it expires `ns` nanoseconds after `now`; `known`: by the clock of its thread. */
static void arm(struct hd_channel *c, uint64_t now, uint64_t ns, bool known)
{
    c->timer.armed = 1;
    c->timer.span = known ? ns : UINT64_MAX;
    c->timer.armer = rt->cur;
    hd_tset_add(&c->timer.armers, rt->cur);
    c->timer.deadline = now + ns;
    HD_SET(fds()->timer_moment, fds()->timer_moment + 1);
    c->timer.moment = fds()->timer_moment;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *now, struct itimerspec *before)
{
    uint32_t site = hd_take_site();
    struct itimerspec wanted;
    uint64_t ns, interval;
    char place[300];
    if (!hd_ready || rt->mode == HD_PLAIN)
        return ((int (*)(int, int, const struct itimerspec *, struct itimerspec *))(
            uintptr_t)hd_real("timerfd_settime"))(fd, flags, now, before);
    __heddle_load_n(now, &wanted, sizeof wanted, site);
    struct hd_channel *c = timer_of(fd, site);
    if (!c)
        return -1;
    if (!span(&wanted.it_value, &ns) || !span(&wanted.it_interval, &interval) ||
        flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
        return hd_io_fail(EINVAL);
    hd_site_text(site, place, sizeof place);
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        hd_fatal("%s: TFD_TIMER_CANCEL_ON_SET is not modelled by this version of heddle", place);
    bool arms = ns != 0;
    uint64_t clock = hd_clock_now(site);
    if (flags & TFD_TIMER_ABSTIME) {
        hd_deadline(c->timer.clock == CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                    &wanted.it_value, &ns);
        ns = ns > clock ? ns - clock : 0;
    }
    if (before) { /* it may have expired before it is set */
        if (!rt->solo_fast)
            hd_act(HD_OP_IO_WATCH, c, NULL, 0, site);
        hd_timer_look(c, site);
    }
    hd_channel_change(c, site);
    struct hd_timer was = c->timer;
    c->count = 0;
    c->timer.armed = 0;
    c->timer.interval = interval;
    if (arms)
        arm(c, clock, ns, !(flags & TFD_TIMER_ABSTIME));
    hd_channel_changed(c, site);
    if (before)
        tell(&was, clock, before, site);
    return 0;
}

/* A step on the timer in which one of several things happens.  `later`: HD_LATER(), or 0.
 * Under a weak memory model the choice is a step before it: what an operation on an object can
 * choose from follows from the state of the object there. */
static uint32_t choose(const struct hd_channel *c, uint32_t ways, uint32_t later, uint32_t site)
{
    if (ways == 1) {
        if (!rt->solo_fast)
            hd_act(HD_OP_IO_WATCH, c, NULL, 0, site);
        return 0;
    }
    hd_engine_root();
    bool alone = hd_is_alone(); /* there is no other thread: only choices are steps */
    if (hd_section_inside())
        hd_section_choose(ways, site);
    else if (alone || rt->weak)
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, later, site, ways);
    else
        hd_act_full(HD_OP_IO_WATCH, c, NULL, later, site, ways);
    uint32_t way = rt->choice;
    hd_update_solo();
    if (rt->weak && !rt->solo_fast && !alone && !hd_section_inside())
        hd_act(HD_OP_IO_WATCH, c, NULL, 0, site);
    return way;
}

/* It has expired so often; in a step on it.  What it was armed for goes to `was`. */
static void count(struct hd_channel *c, uint32_t times, struct hd_timer *was, uint32_t site)
{
    *was = c->timer;
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    c->count += times;
    c->raised++;
    c->timer.armed = 0;
    if (c->timer.interval) {
        arm(c, rt->weak ? was->deadline : model->clock_ns, c->timer.interval,
            was->span != UINT64_MAX);
        c->timer.armer = was->armer;
        if (rt->weak && was->armer != rt->cur)
            c->timer.moment = UINT32_MAX;
    }
    hd_channel_changed(c, site);
}

/* What follows from that for the time: steps of their own, in which others may take the
 * number. */
static void passed(const struct hd_timer *was, uint32_t site)
{
    hd_clock_reach(was->deadline, site);
    if (was->span != UINT64_MAX && was->armer == rt->cur && was->moment != UINT32_MAX)
        hd_timer_passed(was->moment, was->span, site);
}

static void expire(struct hd_channel *c, uint32_t times, uint32_t site)
{
    struct hd_timer was;
    count(c, times, &was, site);
    passed(&was, site);
}

static bool ticks(const struct hd_channel *c) { return c->timer.armed && c->count == 0; }

/* A periodic timer may have expired more than once. */
static uint32_t most_times(const struct hd_channel *c, uint32_t site)
{
    if (!c->timer.interval)
        return 1;
    __heddle_reached(HD_NOTE_TICKS, site);
    return 2;
}

/* hd_timer_look(); what the timer is then goes to `now`. */
static bool look(struct hd_channel *c, struct hd_timer *now, uint32_t site)
{
    struct hd_timer was = { 0 };
    *now = c->timer;
    if (!ticks(c))
        return false;
    uint32_t times = choose(c, 1 + most_times(c, site), HD_LATER(0), site);
    bool is_over = ticks(c) && times, armed = ticks(c) && !times;
    if (is_over)
        count(c, times, &was, site);
    *now = c->timer;
    if (is_over)
        passed(&was, site);
    return armed;
}

bool hd_timer_look(struct hd_channel *c, uint32_t site)
{
    struct hd_timer now;
    return look(c, &now, site);
}

/* May the thread have set the timer before that moment?  Under a weak memory model what others
 * have done to it since is known in a step on it only. */
static bool concerns(const struct hd_timer *t, uint32_t moment)
{
    if (rt->weak)
        return t->is && hd_tset_has(&t->armers, rt->cur);
    return t->is && t->armer == rt->cur && t->moment <= moment;
}

void hd_timer_passed(uint32_t moment, uint64_t ns, uint32_t site)
{
    if (HD_LIKELY(!fds()->n_timers))
        return;
    int saved = errno;
    for (uint32_t i = 0; i < fds()->n_channels; i++) {
        struct hd_channel *c = &fds()->channels[i];
        if (!concerns(&c->timer, moment))
            continue;
        hd_channel_change(c, site);
        if (ticks(c) && c->timer.armer == rt->cur && c->timer.moment <= moment &&
            c->timer.span <= ns)
            expire(c, 1, site);
    }
    errno = saved;
}

/* The thread waits until the timer changes. */
static void watch(struct hd_channel *c)
{
    hd_log_word(&c->watchers.w[rt->cur >> 6]);
    hd_tset_add(&c->watchers, rt->cur);
}

/* The step in which a thread reads the number, or the timer expires for it.  `looked`: how
 * often was chosen just now.  False: it is not armed. */
static bool take(struct hd_channel *c, bool looked, uint64_t *times, uint32_t site)
{
    bool again = !looked && c->count < 2 && c->timer.armed;
    uint32_t more = choose(c, again ? most_times(c, site) : 1, 0, site);
    if (!c->count && !c->timer.armed)
        return false;
    struct hd_timer was;
    bool expires = !c->count;
    if (expires)
        count(c, 1, &was, site);
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    *times = c->count + (c->timer.armed && c->count < 2 ? more : 0);
    c->count = 0;
    c->lowered++;
    hd_channel_changed(c, site);
    if (expires)
        passed(&was, site);
    return true;
}

ssize_t hd_timer_read(struct hd_channel *c, void *to, size_t n, bool nonblocking, uint32_t site)
{
    uint64_t times;
    if (n < sizeof times)
        return hd_io_fail(EINVAL);
    for (;;) {
        if (!rt->solo_fast)
            hd_act(HD_OP_IO_WATCH, c, NULL, 0, site);
        bool there = c->count != 0, held = false;
        if (nonblocking && !there && (!c->timer.armed || hd_timer_look(c, site)))
            return hd_io_fail(EAGAIN);
        if (!there && !nonblocking && c->timer.armed)
            held = hd_polls_too_long(site); /* as if time stood still */
        if ((there || nonblocking || (c->timer.armed && !held)) &&
            take(c, nonblocking && !there, &times, site))
            break;
        if (nonblocking)
            continue; /* another thread has read or set it meanwhile */
        watch(c);
        hd_poll_change(false, 0, site);
        if (held)
            hd_polls_waited();
        if (hd_interrupted())
            return hd_io_fail(EINTR);
    }
    __heddle_store_n(to, &times, sizeof times, site);
    return sizeof times;
}

bool hd_timer_await(const struct hd_ticking *timers, int64_t ns, uint64_t deadline, uint32_t site)
{
    uint32_t moment = hd_timer_moment(), n = timers->n;
    bool limit = ns > 0 && !hd_deadline_never(deadline);
    if (!n && !limit)
        return hd_poll_change(false, deadline, site);
    if (hd_poll_change(true, n ? 0 : deadline, site))
        return true;
    uint32_t which = n;
    if (n + limit > 1) {
        hd_engine_root();
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, site, n + limit);
        which = rt->choice;
        hd_update_solo();
    } else if (n) {
        which = 0;
    }
    if (which < n) {
        struct hd_channel *c = timers->at[which];
        uint32_t times = choose(c, most_times(c, site), 0, site) + 1;
        if (ticks(c))
            expire(c, times, site);
        return true;
    }
    if (n)
        hd_clock_reach(deadline, site);
    hd_timer_passed(moment, (uint64_t)ns, site);
    return false;
}

int timerfd_gettime(int fd, struct itimerspec *is)
{
    uint32_t site = hd_take_site();
    if (!hd_ready || rt->mode == HD_PLAIN)
        return ((int (*)(int, struct itimerspec *))(uintptr_t)hd_real("timerfd_gettime"))(fd, is);
    struct hd_channel *c = timer_of(fd, site);
    struct hd_timer now;
    if (!c)
        return -1;
    uint64_t clock = hd_clock_now(site);
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_WATCH, c, NULL, 0, site);
    look(c, &now, site);
    tell(&now, clock, is, site);
    return 0;
}
