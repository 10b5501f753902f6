/* Invariants: evaluating them, and what they read. */
#ifndef HD_RUNTIME_INVARIANT_H
#define HD_RUNTIME_INVARIANT_H

#include "runtime/rt.h"

/* The first invariant that does not hold in this state, as hd_world.broken numbers them; -1:
 * all do.  What they read is added to shared->readset, config.seen becomes a hash of it, and
 * next actions that write it are marked (HD_WATCHED_WRITE). */
int32_t hd_invariant_broken(void);

/* The invariant that is being evaluated has come to an action, which is the running thread's
 * next one.  It must be a read, or an access of the invariant's own frames; everything else
 * is a misuse. */
void hd_invariant_step(void);

/* The evaluation is over, by a violation too: everything is as it was before.  Nothing is done
 * when there is none. */
void hd_invariant_over(void);

/* A call that is no action and that an invariant must not make. */
_Noreturn void hd_invariant_calls(const char *call, uint32_t site);
static inline void hd_invariant_never(const char *call, uint32_t site)
{
    if (HD_UNLIKELY(rt->in_invariant))
        hd_invariant_calls(call, site);
}

#endif
