/* Changing the user and the groups. glibc notifies every thread of the process by a signal and
 * waits for its answer, which threads of the model never give.  So these calls are not passed
 * on.  A call that changes nothing succeeds, one that is not allowed fails as it would; one
 * that would change the process for all executions that follow is refused. */
#include "runtime/memory.h"

#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNCHANGED ((unsigned)-1)

/* Real, effective and saved: of the user (SYS_getresuid) or the group (SYS_getresgid). */
struct identity {
    unsigned id[3];
};

static struct identity now(long call)
{
    struct identity i = { { 0 } };
    hd_syscall(call, (long)(uintptr_t)&i.id[0], (long)(uintptr_t)&i.id[1],
               (long)(uintptr_t)&i.id[2], 0, 0, 0);
    return i;
}

static _Noreturn void refuse(const char *function, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: %s() would change the user or the groups of the process, which is not modelled by "
        "this version of heddle: check the program as the user that it changes to",
        place, function);
}

static bool plain(void) { return !hd_ready || rt->mode == HD_PLAIN; }

/* A privileged process may take any id; others only one of their own three. */
static bool allowed(const struct identity *before, const struct identity *wanted)
{
    if (now(SYS_getresuid).id[1] == 0)
        return true;
    for (int i = 0; i < 3; i++)
        if (wanted->id[i] != before->id[0] && wanted->id[i] != before->id[1] &&
            wanted->id[i] != before->id[2])
            return false;
    return true;
}

/* Set the ids to `wanted`, some of which may be unchanged. */
static int become(const char *function, long ask, struct identity wanted)
{
    uint32_t site = hd_take_site();
    struct identity before = now(ask);
    bool same = true;
    for (int i = 0; i < 3; i++) {
        if (wanted.id[i] == UNCHANGED)
            wanted.id[i] = before.id[i];
        same = same && wanted.id[i] == before.id[i];
    }
    if (plain()) {
        long set = ask == SYS_getresuid ? SYS_setresuid : SYS_setresgid;
        return (int)hd_syscall(set, wanted.id[0], wanted.id[1], wanted.id[2], 0, 0, 0);
    }
    if (same)
        return 0;
    if (allowed(&before, &wanted))
        refuse(function, site);
    errno = EPERM;
    return -1;
}

/* setuid(): the privileged change all three. */
static int become_one(const char *function, long ask, unsigned id)
{
    bool all = now(SYS_getresuid).id[1] == 0;
    struct identity wanted = { { all ? id : UNCHANGED, id, all ? id : UNCHANGED } };
    if (id == UNCHANGED) {
        hd_take_site();
        errno = EINVAL;
        return -1;
    }
    return become(function, ask, wanted);
}

/* setreuid(): the saved one follows if the real one is set, or the effective one to another
 * than the real one was. */
static int become_two(const char *function, long ask, unsigned real, unsigned effective)
{
    struct identity before = now(ask);
    bool follows = real != UNCHANGED || (effective != UNCHANGED && effective != before.id[0]);
    unsigned then = effective == UNCHANGED ? before.id[1] : effective;
    struct identity wanted = { { real, effective, follows ? then : UNCHANGED } };
    return become(function, ask, wanted);
}

int setuid(uid_t id) { return become_one("setuid", SYS_getresuid, id); }
int setgid(gid_t id) { return become_one("setgid", SYS_getresgid, id); }

int seteuid(uid_t id)
{
    struct identity wanted = { { UNCHANGED, id, UNCHANGED } };
    return become("seteuid", SYS_getresuid, wanted);
}

int setegid(gid_t id)
{
    struct identity wanted = { { UNCHANGED, id, UNCHANGED } };
    return become("setegid", SYS_getresgid, wanted);
}

int setreuid(uid_t real, uid_t effective)
{
    return become_two("setreuid", SYS_getresuid, real, effective);
}

int setregid(gid_t real, gid_t effective)
{
    return become_two("setregid", SYS_getresgid, real, effective);
}

int setresuid(uid_t real, uid_t effective, uid_t saved)
{
    struct identity wanted = { { real, effective, saved } };
    return become("setresuid", SYS_getresuid, wanted);
}

int setresgid(gid_t real, gid_t effective, gid_t saved)
{
    struct identity wanted = { { real, effective, saved } };
    return become("setresgid", SYS_getresgid, wanted);
}

#define MOST_GROUPS 1024

static bool has_groups(size_t n, const gid_t *groups)
{
    gid_t mine[MOST_GROUPS];
    long have = hd_syscall(SYS_getgroups, MOST_GROUPS, (long)(uintptr_t)mine, 0, 0, 0, 0);
    if (have < 0 || (size_t)have != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        gid_t wanted;
        size_t k = 0;
        hd_view_load(rt->cur, &groups[i], &wanted, sizeof wanted);
        while (k < n && mine[k] != wanted)
            k++;
        if (k == n)
            return false;
    }
    return true;
}

int setgroups(size_t n, const gid_t *groups)
{
    uint32_t site = hd_take_site();
    if (plain())
        return (int)hd_syscall(SYS_setgroups, (long)n, (long)(uintptr_t)groups, 0, 0, 0, 0);
    __heddle_will_read(groups, n * sizeof *groups, site);
    if (now(SYS_getresuid).id[1] != 0) {
        errno = EPERM;
        return -1;
    }
    if (!has_groups(n, groups))
        refuse("setgroups", site);
    return 0;
}

/* Only as many entries as there are groups are written. */
int getgroups(int n, gid_t *groups)
{
    uint32_t site = hd_take_site();
    gid_t mine[MOST_GROUPS];
    if (plain())
        return (int)hd_syscall(SYS_getgroups, n, (long)(uintptr_t)groups, 0, 0, 0, 0);
    long have = hd_syscall(SYS_getgroups, MOST_GROUPS, (long)(uintptr_t)mine, 0, 0, 0, 0);
    if (have < 0)
        hd_fatal("the process is in more than %d groups", MOST_GROUPS);
    if (n < 0 || (n > 0 && n < have)) {
        errno = EINVAL;
        return -1;
    }
    if (n > 0 && have > 0)
        __heddle_store_n(groups, mine, (uint64_t)have * sizeof *mine, site);
    return (int)have;
}
