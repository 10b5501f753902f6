/* The guards of C++'s static variables, which work like pthread_once.
 *
 * The program itself reads the guard's first byte, which says that the variable is initialised;
 * a thread comes here only if it is 0.  The byte is written before the guard is released: a
 * thread that waits for it goes on after both. */
#include "runtime/memory.h"

int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

static struct hd_sync *guard_of(const uint64_t *guard, uint32_t site)
{
    return hd_sync_use(guard, HD_SYNC_ONCE, "guard of a static variable", true, site);
}

static void give_free(uint64_t *guard, bool there, uint32_t site)
{
    struct hd_sync *s = guard_of(guard, site);
    if (there)
        __heddle_astore1(guard, 1, HD_ORDER_STRONG, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_ONCE_DONE, guard, NULL, 0, site);
    HD_SET(s->owner, HD_NOBODY);
    HD_SET(s->count, there);
    hd_sync_changed(s);
}

int __cxa_guard_acquire(uint64_t *guard)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    struct hd_sync *s = guard_of(guard, site);
    if (s->owner == rt->cur)
        hd_violation(HD_KIND_MISUSE, site,
                     "the initialisation of a static variable waits for itself");
    hd_sync_wait(s, HD_OP_ONCE, site);
    if (s->count)
        return 0;
    HD_SET(s->owner, (uint16_t)rt->cur);
    HD_SET(s->site, site);
    hd_sync_changed(s);
    return 1;
}

void __cxa_guard_release(uint64_t *guard) { give_free(guard, true, hd_take_site()); }

/* The initialiser ended with an exception: the next thread tries again. */
void __cxa_guard_abort(uint64_t *guard) { give_free(guard, false, hd_take_site()); }
