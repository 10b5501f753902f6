/* POSIX semaphores: a counter; waiting blocks while it is 0.  Named ones live in a table of the
 * model, which stands for the system's: it is empty when the program starts. */
#include "runtime/cancel.h"
#include "runtime/object_stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#define WHAT "semaphore"

static struct hd_sync *semaphore_of(sem_t *sem, uint32_t site)
{
    return hd_sync_use(sem, HD_SYNC_SEM, WHAT, false, site);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

int sem_init(sem_t *sem, int shared, unsigned value)
{
    uint32_t site = hd_take_site();
    (void)shared;
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    struct hd_sync *s = hd_sync_init(sem, HD_SYNC_SEM, WHAT, site);
    s->count = value;
    return 0;
}

int sem_destroy(sem_t *sem)
{
    uint32_t site = hd_take_site();
    hd_sync_destroy(semaphore_of(sem, site), WHAT, site);
    return 0;
}

static int taken(struct hd_sync *s)
{
    HD_SET(s->count, s->count - 1);
    hd_sync_changed(s);
    return 0;
}

static int wait(struct hd_sync *s, uint32_t site)
{
    hd_cancel_point_waits(site);
    hd_sync_wait(s, HD_OP_SEM_WAIT, site);
    if (hd_interrupted())
        return fail(EINTR);
    if (hd_cancel_came())
        hd_cancel_act();
    return taken(s);
}

int sem_wait(sem_t *sem)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = semaphore_of(sem, site);
    return wait(s, site);
}

int sem_trywait(sem_t *sem)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = semaphore_of(sem, site);
    return hd_sync_try(s, HD_OP_SEM_TRYWAIT, site) ? taken(s) : fail(EAGAIN);
}

int sem_clockwait(sem_t *restrict sem, clockid_t clock, const struct timespec *restrict at)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = semaphore_of(sem, site);
    uint64_t deadline;
    if (!hd_deadline(clock, at, &deadline))
        return fail(EINVAL);
    if (hd_deadline_never(deadline))
        return wait(s, site);
    hd_cancel_point(site);
    bool has = hd_sync_try(s, HD_OP_SEM_TIMEDWAIT, site);
    if (hd_interrupted())
        return fail(EINTR);
    if (hd_cancel_came())
        hd_cancel_act();
    if (!has) {
        hd_clock_reach(deadline, site);
        return fail(ETIMEDOUT);
    }
    return taken(s);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict at)
{
    return sem_clockwait(sem, CLOCK_REALTIME, at);
}

int sem_post(sem_t *sem)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = semaphore_of(sem, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_SEM_POST, sem, NULL, 0, site);
    if (s->count == SEM_VALUE_MAX)
        return fail(EOVERFLOW);
    HD_SET(s->count, s->count + 1);
    hd_sync_changed(s);
    return 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict value)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = semaphore_of(sem, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_SEM_VALUE, sem, value, sizeof *value, site);
    hd_orders_less(HD_LESS_TRY);
    hd_store_result(value, &s->count, sizeof *value, site);
    return 0;
}

static struct hd_named_semaphore *named(const char *name)
{
    for (uint32_t i = 0; i < HD_MAX_NAMED; i++) {
        struct hd_named_semaphore *n = &model->named[i];
        if (n->name[0] && !n->unlinked && strcmp(n->name, name) == 0)
            return n;
    }
    return NULL;
}

static struct hd_named_semaphore *new_name(const char *name)
{
    for (uint32_t i = 0; i < HD_MAX_NAMED; i++) {
        struct hd_named_semaphore *n = &model->named[i];
        if (n->name[0])
            continue;
        hd_log_range(n, sizeof *n);
        memset(n, 0, sizeof *n);
        strcpy(n->name, name);
        return n;
    }
    hd_fatal("the program uses more than %u named semaphores", HD_MAX_NAMED);
}

static bool is_name(const char *name)
{
    size_t n = strlen(name);
    return n > 1 && n < sizeof model->named[0].name && name[0] == '/' && !strchr(name + 1, '/');
}

/* Copy the name before the step; one that is too long stays too long. */
static const char *keep_name(const char *name, char kept[sizeof model->named[0].name + 1])
{
    size_t n = strnlen(name, sizeof model->named[0].name);
    hd_view_load(rt->cur, name, kept, n);
    kept[n] = 0;
    return kept;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    uint32_t site = hd_take_site();
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        (void)va_arg(args, mode_t);
        value = va_arg(args, unsigned);
        va_end(args);
    }
    char kept[sizeof model->named[0].name + 1];
    name = keep_name(name, kept);
    if (!rt->solo_fast)
        hd_act(HD_OP_SEM_NAME, &model->named, NULL, 0, site);
    struct hd_named_semaphore *n = named(name);
    errno = !is_name(name) || value > SEM_VALUE_MAX                   ? EINVAL
            : !n && !(flags & O_CREAT)                                ? ENOENT
            : n && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? EEXIST
                                                                      : 0;
    if (errno)
        return SEM_FAILED;
    if (!n) {
        n = new_name(name);
        struct hd_sync *s = hd_sync_make((uint64_t)(uintptr_t)n->semaphore, HD_SYNC_SEM);
        s->count = value;
        hd_object_stamp_put(n->semaphore, HD_SYNC_SEM);
    }
    HD_SET(n->open, n->open + 1);
    return (sem_t *)n->semaphore;
}

/* Remove a named semaphore that can no longer be reached. */
static void forget(struct hd_named_semaphore *n)
{
    if (n->open || !n->unlinked)
        return;
    hd_log_range(n, sizeof *n);
    memset(n, 0, sizeof *n);
    hd_sync_destroyed(hd_sync_find((uint64_t)(uintptr_t)n->semaphore), 0);
}

int sem_close(sem_t *sem)
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast)
        hd_act(HD_OP_SEM_NAME, &model->named, NULL, 0, site);
    for (uint32_t i = 0; i < HD_MAX_NAMED; i++)
        if ((void *)sem == model->named[i].semaphore && model->named[i].open) {
            HD_SET(model->named[i].open, model->named[i].open - 1);
            forget(&model->named[i]);
            return 0;
        }
    hd_violation(HD_KIND_MISUSE, site, "sem_close of something that sem_open did not return");
}

int sem_unlink(const char *name)
{
    uint32_t site = hd_take_site();
    char kept[sizeof model->named[0].name + 1];
    name = keep_name(name, kept);
    if (!rt->solo_fast)
        hd_act(HD_OP_SEM_NAME, &model->named, NULL, 0, site);
    struct hd_named_semaphore *n = named(name);
    if (!n)
        return fail(ENOENT);
    HD_SET(n->unlinked, 1);
    forget(n);
    return 0;
}
