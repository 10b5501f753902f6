/* Does the call fail here?  (--faults; core/fault.h) */
#ifndef HD_RUNTIME_FAULT_H
#define HD_RUNTIME_FAULT_H

#include "core/fault.h"
#include "runtime/rt.h"

/* Returns 0 if the call succeeds, otherwise the number (from 1) of the way in which it fails,
 * which the caller defines.  All outcomes are explored.  This is a scheduling point if that
 * kind of fault is enabled.  Call it before any effect that another thread could see, and not
 * inside a library's code, which may hold a lock that others need. */
uint32_t hd_fault_ways(enum hd_fault_kind kind, uint32_t ways, uint32_t site);

static inline bool hd_fault_wanted(enum hd_fault_kind kind)
{
    return rt->shared && rt->shared->options.faults.kinds >> kind & 1;
}

/* May no call fail any more? */
static inline bool hd_fault_used_up(void)
{
    return rt->shared && model->n_faults >= rt->shared->options.faults.most;
}

static inline bool hd_fault(enum hd_fault_kind kind, uint32_t site)
{
    return HD_UNLIKELY(hd_fault_wanted(kind)) && hd_fault_ways(kind, 1, site) != 0;
}

#endif
