/* What waiting needs of cancellation. */
#ifndef HD_RUNTIME_CANCEL_H
#define HD_RUNTIME_CANCEL_H

#include "runtime/memory.h"
#include "runtime/rt.h"

/* The object of the thread's mark, under a weak memory model. */
struct hd_sync *hd_cancel_mark(uint32_t thread);

/* The running thread has been cancelled: run its cleanup handlers and end it. */
_Noreturn void hd_cancel_act(void);

static inline bool hd_cancel_wanted(const struct hd_thread *t)
{
    return (t->cancel & (HD_CANCEL_ASKED | HD_CANCEL_DISABLED)) == HD_CANCEL_ASKED;
}

/* The same under a weak memory model, where looking at the mark is a step.  `waits`: the thread
 * waits next, and the wait is over if somebody sets the mark. */
bool hd_cancel_looks(bool waits, uint32_t site);

static inline bool hd_cancel_due(bool waits, uint32_t site)
{
    return HD_LIKELY(!rt->weak) ? hd_cancel_wanted(hd_thread_now())
                                : hd_cancel_looks(waits, site);
}

/* A cancellation point of the running thread. */
static inline void hd_cancel_point(uint32_t site)
{
    if (HD_UNLIKELY(hd_cancel_due(false, site)))
        hd_cancel_act();
}

/* The cancellation point of a wait, before it. */
static inline void hd_cancel_point_waits(uint32_t site)
{
    if (HD_UNLIKELY(hd_cancel_due(true, site)))
        hd_cancel_act();
}

/* Has a cancellation come during the wait that is just over?  Under a weak memory model the
 * look before the wait has answered that. */
static inline bool hd_cancel_came(void)
{
    return HD_UNLIKELY(hd_cancel_wanted(hd_thread_now()) && !rt->weak);
}

/* Has a cancellation ended the wait that is just over? */
static inline bool hd_cancel_woke(void)
{
    return HD_UNLIKELY(hd_thread_now()->cancel & HD_CANCEL_WOKEN);
}

#endif
