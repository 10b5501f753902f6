/* Atomic accesses and fences. */
#ifndef HD_INSTRUMENT_ATOMIC_H
#define HD_INSTRUMENT_ATOMIC_H

#include "instrument/pass.h"

void hd_atomic_load(struct hd_pass *p, const struct hd_planned *item);
void hd_atomic_store(struct hd_pass *p, const struct hd_planned *item);
void hd_atomic_rmw(struct hd_pass *p, const struct hd_planned *item);
void hd_atomic_cas(struct hd_pass *p, const struct hd_planned *item);
void hd_atomic_fence(struct hd_pass *p, const struct hd_planned *item);
void hd_atomic_barrier(struct hd_pass *p, const struct hd_planned *item);

/* The hooks, for library calls that mean the same.  Values are integers of 1, 2, 4, 8 or
 * 16 bytes. */
LLVMValueRef hd_atomic_load_hook(struct hd_pass *p, LLVMValueRef address, LLVMTypeRef type,
                                 uint32_t order, uint32_t site);
void hd_atomic_store_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef value,
                          uint32_t order, uint32_t site);
LLVMValueRef hd_atomic_rmw_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef value,
                                uint32_t op, uint32_t order, uint32_t site);
LLVMValueRef hd_atomic_cas_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef expected,
                                LLVMValueRef desired, LLVMValueRef order, uint32_t site);

/* The order as the hooks take it (core/memory_order.h).  Those weaker than sequentially
 * consistent are counted.  `failure` is LLVMAtomicOrderingNotAtomic for all but a
 * compare-exchange. */
uint32_t hd_atomic_order(struct hd_pass *p, LLVMValueRef inst, LLVMAtomicOrdering order,
                         LLVMAtomicOrdering failure);

#endif
