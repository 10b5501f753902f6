/* Plain accesses and memory intrinsics. */
#ifndef HD_INSTRUMENT_MEMORY_H
#define HD_INSTRUMENT_MEMORY_H

#include "instrument/pass.h"

void hd_memory_load(struct hd_pass *p, const struct hd_planned *item);
void hd_memory_store(struct hd_pass *p, const struct hd_planned *item);
void hd_memory_copy(struct hd_pass *p, const struct hd_planned *item);
void hd_memory_fill(struct hd_pass *p, const struct hd_planned *item);

/* Hooks by themselves, in front of the builder's place. */
void hd_memory_copy_hook(struct hd_pass *p, LLVMValueRef to, LLVMValueRef from,
                         LLVMValueRef bytes, uint32_t site);
void hd_memory_fill_hook(struct hd_pass *p, LLVMValueRef to, LLVMValueRef byte,
                         LLVMValueRef bytes, uint32_t site);
void hd_memory_through(struct hd_pass *p, const char *hook, LLVMValueRef address,
                       LLVMValueRef local, LLVMValueRef bytes, uint32_t site);

/* A load and a store of `bytes` bytes that may turn out to be none: then there is no event. */
void hd_memory_read(struct hd_pass *p, LLVMValueRef from, LLVMValueRef into, LLVMValueRef bytes,
                    uint32_t site);
void hd_memory_write(struct hd_pass *p, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes,
                     uint32_t site);

#endif
