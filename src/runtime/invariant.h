/* Invariants: evaluating them, and what they read. */
#ifndef HD_RUNTIME_INVARIANT_H
#define HD_RUNTIME_INVARIANT_H

#include "runtime/rt.h"

/* The first invariant that does not hold in this state, numbered as in hd_world.broken; -1 if
 * all hold.  Adds what they read to shared->readset, sets config.seen to a hash of it, and
 * marks next actions that write it (HD_WATCHED_WRITE). */
int32_t hd_invariant_broken(void);

/* The invariant that is being evaluated has reached an action, which is the running thread's
 * next one.  It must be a read, or an access of the invariant's own frames; everything else is
 * a misuse. */
void hd_invariant_step(void);

/* The evaluation is over, perhaps by a violation: restore everything.  Does nothing if there is
 * no evaluation. */
void hd_invariant_over(void);

/* A call that is no action and that an invariant must not make. */
_Noreturn void hd_invariant_calls(const char *call, uint32_t site);
static inline void hd_invariant_never(const char *call, uint32_t site)
{
    if (HD_UNLIKELY(rt->in_invariant))
        hd_invariant_calls(call, site);
}

#endif
