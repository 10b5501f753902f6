/* epoll: a list of watched files.  One step on the list decides which events are reported and
 * updates their state (edges, one-shot).  Events are reported in the order in which the
 * descriptors were added. */
#include "runtime/fd.h"

#include "runtime/cancel.h"
#include "runtime/timer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

static struct hd_fds *fds(void) { return &model->fds; }

static int make(int flags, uint32_t site)
{
    if (flags & ~EPOLL_CLOEXEC)
        return hd_io_fail(EINVAL);
    hd_fd_change(site);
    if (fds()->n_epolls == HD_MAX_EPOLLS)
        hd_fatal("the program makes more than %u epoll descriptors", HD_MAX_EPOLLS);
    struct hd_epoll *e = &fds()->epolls[fds()->n_epolls];
    HD_SET(fds()->n_epolls, fds()->n_epolls + 1);
    hd_log_range(e, sizeof *e);
    memset(e, 0, sizeof *e);
    struct hd_file *f = hd_file_new(HD_FILE_EPOLL, false);
    f->epoll = fds()->n_epolls;
    return hd_fd_new(f, 0, flags & EPOLL_CLOEXEC);
}

int epoll_create(int size)
{
    uint32_t site = hd_take_site();
    return size > 0 ? make(0, site) : hd_io_fail(EINVAL);
}

int epoll_create1(int flags) { return make(flags, hd_take_site()); }

static struct hd_epoll *list_of(const struct hd_file *f)
{
    return f && f->kind == HD_FILE_EPOLL ? &fds()->epolls[f->epoll - 1] : NULL;
}

static void change_list(struct hd_epoll *e, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_CHANGE, e, NULL, 0, site);
    hd_log_range(e, sizeof *e);
}

static struct hd_epoll_item *item_of(struct hd_epoll *e, int fd, uint32_t file)
{
    for (uint32_t i = 0; i < HD_MAX_WATCHED; i++)
        if (e->items[i].used && e->items[i].fd == (uint32_t)fd && e->items[i].file == file)
            return &e->items[i];
    return NULL;
}

static struct hd_epoll_item *free_item(struct hd_epoll *e)
{
    for (uint32_t i = 0; i < HD_MAX_WATCHED; i++)
        if (!e->items[i].used || !fds()->files[e->items[i].file].refs)
            return &e->items[i];
    hd_fatal("an epoll of more than %u descriptors", HD_MAX_WATCHED);
}

static const uint32_t known = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLERR | EPOLLHUP |
                              EPOLLRDNORM | EPOLLWRNORM | EPOLLET | EPOLLONESHOT;

int epoll_ctl(int epfd, int operation, int fd, struct epoll_event *event)
{
    uint32_t site = hd_take_site();
    struct hd_epoll *e = list_of(hd_fd_use(epfd, site));
    const struct hd_file *f = hd_fd_peek(fd);
    struct epoll_event wanted = { 0 };
    char place[300];
    if (!e)
        return hd_io_fail(hd_fd_peek(epfd) ? EINVAL : EBADF);
    hd_site_text(site, place, sizeof place);
    if (!f || f->kind == HD_FILE_EPOLL || f->kind == HD_FILE_INPUT)
        hd_fatal(
            "%s: epoll of something that is not a pipe, socket pair or eventfd between threads "
            "is not modelled by this version of heddle",
            place);
    if (operation != EPOLL_CTL_DEL)
        __heddle_load_n(event, &wanted, sizeof wanted, site);
    if (f->kind == HD_FILE_SIGNALS && (wanted.events & EPOLLET))
        hd_fatal("%s: EPOLLET of a signalfd is not modelled by this version of heddle", place);
    if (wanted.events & ~known)
        hd_fatal("%s: an event of epoll that is not modelled by this version of heddle", place);
    change_list(e, site);
    uint32_t file = (uint32_t)(f - fds()->files);
    struct hd_epoll_item *item = item_of(e, fd, file);
    if (operation == EPOLL_CTL_ADD ? item != NULL : item == NULL)
        return hd_io_fail(item ? EEXIST : ENOENT);
    if (operation == EPOLL_CTL_DEL) {
        item->used = 0;
        return 0;
    }
    item = item ? item : free_item(e);
    *item = (struct hd_epoll_item){ .used = 1,
                                    .fd = (uint32_t)fd,
                                    .file = file,
                                    .events = wanted.events,
                                    .seen = UINT64_MAX,
                                    .data = wanted.data.u64 };
    hd_bells_ring(&e->watchers, site);
    return 0;
}

/* Begin a round: copy the list, and ask to be notified when it changes. */
static void watch_list(struct hd_epoll *e, struct hd_epoll_item *items, bool watch, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(watch ? HD_OP_IO_WATCH : HD_OP_IO_LOOK, e, NULL, 0, site);
    memcpy(items, e->items, sizeof e->items);
    if (!watch)
        return;
    hd_log_word(&e->watchers.w[rt->cur >> 6]);
    hd_tset_add(&e->watchers, rt->cur);
}

/* Select the events to report from those that were seen.  The list does not change in this
 * step. */
static int tell(struct hd_epoll *e, const struct hd_epoll_item *items,
                const struct hd_ready *seen, struct epoll_event *told, int most)
{
    int n = 0;
    for (uint32_t i = 0; i < HD_MAX_WATCHED && n < most; i++) {
        struct hd_epoll_item *item = &e->items[i];
        bool same = item->used && item->file == items[i].file && item->fd == items[i].fd &&
                    item->events == items[i].events && items[i].used;
        if (!same || !seen[i].events || item->spent ||
            ((item->events & EPOLLET) && item->seen == seen[i].edges))
            continue;
        told[n++] = (struct epoll_event){ .events = seen[i].events, .data.u64 = item->data };
        item->seen = seen[i].edges;
        item->spent = (item->events & EPOLLONESHOT) != 0;
    }
    return n;
}

static int round(struct hd_epoll *e, struct epoll_event *told, int most, bool watch,
                 struct hd_ticking *timers, uint32_t site)
{
    timers->n = 0;
    struct hd_epoll_item items[HD_MAX_WATCHED];
    struct hd_ready seen[HD_MAX_WATCHED];
    bool any = false;
    watch_list(e, items, watch, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_FD_USE, fds(), NULL, 0, site);
    for (uint32_t i = 0; i < HD_MAX_WATCHED; i++) /* closing a file takes it off the list */
        items[i].used = items[i].used && fds()->files[items[i].file].refs;
    for (uint32_t i = 0; i < HD_MAX_WATCHED; i++) {
        const struct hd_file *f = &fds()->files[items[i].file];
        seen[i].events = 0;
        if (!items[i].used || items[i].spent)
            continue;
        seen[i] = hd_poll_look(f, items[i].events, watch, site);
        any = any || seen[i].events;
        if (seen[i].ticks)
            timers->at[timers->n++] = seen[i].ticks;
    }
    if (!any)
        return 0;
    change_list(e, site);
    return tell(e, items, seen, told, most);
}

static int wait_for(int epfd, struct epoll_event *events, int most, int64_t ns, uint32_t site)
{
    struct epoll_event told[HD_MAX_WATCHED];
    struct hd_ticking timers;
    struct hd_epoll *e = list_of(hd_fd_use(epfd, site));
    uint64_t deadline = (ns > 0 ? hd_clock_now(site) : model->clock_ns) + (uint64_t)ns;
    bool last = ns == 0;
    if (!e || most <= 0)
        return hd_io_fail(e || hd_fd_peek(epfd) ? EINVAL : EBADF);
    most = most < HD_MAX_WATCHED ? most : HD_MAX_WATCHED;
    hd_cancel_point(site);
    for (;;) {
        int n = round(e, told, most, !last, &timers, site);
        if (n)
            __heddle_store_n(events, told, (uint64_t)n * sizeof *told, site);
        if (n || last)
            return n;
        last = !hd_timer_await(&timers, ns, deadline, site);
        if (hd_interrupted())
            return hd_io_fail(EINTR);
    }
}

int epoll_wait(int epfd, struct epoll_event *events, int most, int milliseconds)
{
    return wait_for(epfd, events, most, milliseconds < 0 ? -1 : milliseconds * 1000000ll,
                    hd_take_site());
}

int epoll_pwait(int epfd, struct epoll_event *events, int most, int milliseconds,
                const sigset_t *mask)
{
    (void)mask;
    return epoll_wait(epfd, events, most, milliseconds);
}

int epoll_pwait2(int epfd, struct epoll_event *events, int most, const struct timespec *timeout,
                 const sigset_t *mask)
{
    uint32_t site = hd_take_site();
    struct timespec t;
    (void)mask;
    if (!timeout)
        return wait_for(epfd, events, most, -1, site);
    __heddle_load_n(timeout, &t, sizeof t, site);
    return wait_for(epfd, events, most, (int64_t)t.tv_sec * 1000000000ll + t.tv_nsec, site);
}
