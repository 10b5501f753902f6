/* The locks of streams: a recursive mutex for each, in model memory.
 *
 * In a program that never uses these locks, output never waits: it orders no threads.  In one
 * that does, output to a stream takes its lock. */
#include "runtime/stream_lock.h"

#include "core/site.h"
#include "runtime/fdstream_find.h"
#include "runtime/streams.h"

#include <errno.h>
#include <pthread.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));

static bool plain(void) { return !hd_ready || rt->mode == HD_PLAIN; }

static bool wanted(const FILE *f)
{
    return !plain() &&
           ((__start_heddle_info && __start_heddle_info->locks_streams) || hd_fdstream_of(f));
}

/* By address, so that a stream's place does not depend on which thread uses one first. */
static pthread_mutex_t *lock_of(const FILE *f)
{
    uint64_t addr = (uint64_t)(uintptr_t)f, i = addr * 0x9e3779b97f4a7c15ull >> 56;
    for (uint32_t tried = 0; tried < HD_MAX_STREAMS; tried++, i++) {
        struct hd_stream *s = &model->streams[i % HD_MAX_STREAMS];
        pthread_mutex_t *lock = (pthread_mutex_t *)(void *)s->lock;
        if (s->addr == addr)
            return lock;
        if (s->addr)
            continue;
        HD_SET(s->addr, addr);
        HD_SET(lock->__data.__kind, PTHREAD_MUTEX_RECURSIVE);
        return lock;
    }
    hd_fatal("the program uses more than %u streams", HD_MAX_STREAMS);
}

void hd_stream_enter(const FILE *f, uint32_t site)
{
    if (!wanted(f))
        return;
    __heddle_call_site = site;
    pthread_mutex_lock(lock_of(f));
}

void hd_stream_unlock(const FILE *f, uint32_t site)
{
    __heddle_call_site = site;
    pthread_mutex_unlock(lock_of(f));
}

void hd_stream_leave(const FILE *f, uint32_t site)
{
    if (wanted(f))
        hd_stream_unlock(f, site);
}

void flockfile(FILE *f)
{
    uint32_t site = __heddle_call_site;
    if (plain())
        ((void (*)(FILE *))(uintptr_t)hd_real("flockfile"))(f);
    else
        pthread_mutex_lock(lock_of(f));
    __heddle_open(f, site);
}

int ftrylockfile(FILE *f)
{
    __heddle_open(f, __heddle_call_site);
    if (plain())
        return ((int (*)(FILE *))(uintptr_t)hd_real("ftrylockfile"))(f);
    return pthread_mutex_trylock(lock_of(f)) ? -1 : 0;
}

void funlockfile(FILE *f)
{
    uint32_t site = __heddle_call_site;
    __heddle_open(f, site);
    if (plain())
        ((void (*)(FILE *))(uintptr_t)hd_real("funlockfile"))(f);
    else if (pthread_mutex_unlock(lock_of(f)) == EPERM)
        hd_violation(HD_KIND_MISUSE, site,
                     "funlockfile of a stream that the thread has not locked");
}
