#include "runtime/fork.h"

#include "core/notes.h"
#include "runtime/fd.h"
#include "runtime/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define forks (&model->forks)

enum { FIRST_CHILD = 4194305 }; /* above what Linux gives */

static bool plain(void) { return !hd_ready || rt->mode == HD_PLAIN; }

static void act(uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_OUTSIDE, forks, NULL, 0, site);
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    act(site);
    uint64_t n = forks->n_handlers;
    if (n == HD_MAX_ATFORK)
        return ENOMEM;
    hd_log_range(&forks->handlers[n], sizeof forks->handlers[n]);
    forks->handlers[n] = (struct hd_atfork){ prepare, parent, child };
    HD_SET(forks->n_handlers, n + 1);
    return 0;
}

static _Noreturn void refuse(const char *why, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: fork() while %s is not modelled by this version of heddle", place, why);
}

static void check_shared(uint32_t site)
{
    for (int fd = 0; fd < HD_MAX_FDS; fd++)
        if (hd_fd_peek(fd))
            refuse("a pipe, socket or the like is open, which the child could use,", site);
    if (forks->shares || rt->n_written_mappings)
        refuse("memory is mapped that the child would share (MAP_SHARED)", site);
}

static pid_t fork_model(uint32_t site)
{
    hd_fd_change(site);
    act(site);
    check_shared(site);
    if (forks->n_children == HD_MAX_CHILDREN)
        hd_fatal("the program makes more than %d children", HD_MAX_CHILDREN);
    hd_notes_add(&rt->shared->notes, HD_NOTE_FORK, site, 1);
    HD_SET(forks->n_children, forks->n_children + 1);
    return (pid_t)(FIRST_CHILD + forks->n_children - 1);
}

pid_t fork(void)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    uint64_t n = forks->n_handlers; /* those that are added meanwhile do not count */
    for (uint64_t i = n; i-- > 0;)
        if (forks->handlers[i].prepare)
            forks->handlers[i].prepare();
    pid_t pid = plain() ? ((pid_t(*)(void))(uintptr_t)hd_real("fork"))() : fork_model(site);
    int saved = errno;
    for (uint64_t i = 0; i < n; i++) {
        void (*after)(void) = pid ? forks->handlers[i].parent : forks->handlers[i].child;
        if (after)
            after();
    }
    errno = saved;
    return pid;
}

static bool is_waited(uint64_t i) { return forks->waited[i / 64] >> (i % 64) & 1; }

bool hd_fork_has_child(void)
{
    for (uint64_t i = 0; i < forks->n_children; i++)
        if (!is_waited(i))
            return true;
    return false;
}

/* The child that is asked for; n_children: there is none. */
static uint64_t find(pid_t pid)
{
    for (uint64_t i = 0; i < forks->n_children; i++)
        if (!is_waited(i) && (pid <= 0 || pid == (pid_t)(FIRST_CHILD + i)))
            return i;
    return forks->n_children;
}

bool hd_fork_is_child(pid_t pid, uint32_t site)
{
    if (!forks->n_children)
        return false;
    act(site);
    return pid > 0 && find(pid) < forks->n_children;
}

static bool still_runs(uint32_t site)
{
    hd_engine_root();
    if (hd_section_inside())
        hd_section_choose(2, site);
    else
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, HD_LATER(1), site, 2);
    bool runs = rt->choice;
    hd_update_solo();
    return runs;
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
    uint32_t site = hd_take_site();
    const int none = 0;
    if (plain())
        return ((pid_t(*)(pid_t, int *, int))(uintptr_t)hd_real("waitpid"))(pid, status, flags);
    if (flags & ~(WNOHANG | WUNTRACED | WCONTINUED))
        return hd_io_fail(EINVAL);
    act(site);
    if (find(pid) == forks->n_children)
        return hd_io_fail(ECHILD);
    if ((flags & WNOHANG) && still_runs(site))
        return 0;
    act(site);
    uint64_t i = find(pid);
    if (i == forks->n_children) /* another thread has waited for it meanwhile */
        return hd_io_fail(ECHILD);
    HD_SET(forks->waited[i / 64], forks->waited[i / 64] | 1ull << (i % 64));
    if (status)
        __heddle_store_n(status, &none, sizeof none, site);
    return (pid_t)(FIRST_CHILD + i);
}

pid_t wait(int *status) { return waitpid(-1, status, 0); }

static _Noreturn void not_modelled(const char *call, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: %s() of a child that is not followed is not modelled by this version of heddle: "
        "use waitpid()",
        place, call);
}

pid_t wait3(int *status, int flags, struct rusage *usage)
{
    if (!plain() && forks->n_children)
        not_modelled("wait3", hd_take_site());
    return ((pid_t(*)(int *, int, struct rusage *))(uintptr_t)hd_real("wait3"))(status, flags,
                                                                                usage);
}

pid_t wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
    if (!plain() && forks->n_children)
        not_modelled("wait4", hd_take_site());
    return ((pid_t(*)(pid_t, int *, int, struct rusage *))(uintptr_t)hd_real("wait4"))(
        pid, status, flags, usage);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
    if (!plain() && forks->n_children)
        not_modelled("waitid", hd_take_site());
    return ((int (*)(idtype_t, id_t, siginfo_t *, int))(uintptr_t)hd_real("waitid"))(type, id,
                                                                                     info, flags);
}
