/* Allocation: the steps that make blocks and free them (block.h says what these are). */
#ifndef HD_RUNTIME_HEAP_H
#define HD_RUNTIME_HEAP_H

#include "runtime/block.h"

/* Allocation without the failures of --faults.  `size` bytes, aligned; NULL with errno. */
void *hd_heap_take(uint64_t size, uint64_t alignment, enum hd_family family);
/* The step that frees; a violation if the pointer does not point to a live block of that
 * family.  `call` is the function, `caller` its return address. */
void hd_heap_free(void *p, enum hd_family family, const char *call, const void *caller);
/* For `caller`, the return address of an interposed function: is the allocation to fail? */
bool hd_heap_fails(const void *caller);
#define HD_HEAP_FAILS() HD_UNLIKELY(hd_heap_fails(__builtin_return_address(0)))

/* --leaks: a violation if a block is left that nothing points to. */
void hd_heap_leaks(uint32_t site);

#endif
