/* Does the call fail here?  (--faults; core/fault.h) */
#ifndef HD_RUNTIME_FAULT_H
#define HD_RUNTIME_FAULT_H

#include "core/fault.h"
#include "runtime/rt.h"

/* 0: no.  Otherwise in which of its `ways` (from 1), which the caller numbers.  All outcomes
 * are explored.  A scheduling point when that kind of fault is asked for, otherwise nothing;
 * call it before anything has been done that another thread could see, and not inside a
 * library's code, which may hold a lock that others want. */
uint32_t hd_fault_ways(enum hd_fault_kind kind, uint32_t ways, uint32_t site);

static inline bool hd_fault_wanted(enum hd_fault_kind kind)
{
    return rt->shared && rt->shared->options.faults.kinds >> kind & 1;
}

static inline bool hd_fault(enum hd_fault_kind kind, uint32_t site)
{
    return HD_UNLIKELY(hd_fault_wanted(kind)) && hd_fault_ways(kind, 1, site) != 0;
}

#endif
