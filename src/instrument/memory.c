#include "instrument/memory.h"

#include "instrument/atomic.h"

void hd_memory_copy_hook(struct hd_pass *p, LLVMValueRef to, LLVMValueRef from,
                         LLVMValueRef bytes, uint32_t site)
{
    LLVMValueRef args[] = { to, from, bytes, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_copy", p->nothing, args, 4);
}

void hd_memory_fill_hook(struct hd_pass *p, LLVMValueRef to, LLVMValueRef byte,
                         LLVMValueRef bytes, uint32_t site)
{
    LLVMValueRef args[] = { to, byte, bytes, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_fill", p->nothing, args, 4);
}

void hd_memory_through(struct hd_pass *p, const char *hook, LLVMValueRef address,
                       LLVMValueRef local, LLVMValueRef bytes, uint32_t site)
{
    LLVMValueRef args[] = { address, local, bytes, hd_pass_u32(p, site) };
    hd_pass_hook(p, hook, p->nothing, args, 4);
}

void hd_memory_read(struct hd_pass *p, LLVMValueRef from, LLVMValueRef into, LLVMValueRef bytes,
                    uint32_t site)
{
    LLVMValueRef args[] = { from, bytes, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_will_read", p->nothing, args, 3);
    LLVMBuildMemCpy(p->builder, into, 1, from, 1, bytes);
}

void hd_memory_write(struct hd_pass *p, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes,
                     uint32_t site)
{
    LLVMValueRef args[] = { to, bytes, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_will_write", p->nothing, args, 3);
    LLVMBuildMemCpy(p->builder, to, 1, from, 1, bytes);
}

void hd_memory_load(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst, address = LLVMGetOperand(inst, 0), value;
    LLVMTypeRef type = LLVMTypeOf(inst), carrier = hd_pass_carrier(p, type);
    uint64_t bytes = hd_pass_bytes(p, type);
    if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic) {
        hd_atomic_load(p, item);
        return;
    }
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_READ, bytes, 0);
    hd_pass_before(p, inst);
    if (carrier) {
        LLVMValueRef args[] = { address, hd_pass_u32(p, site) };
        const char *hook = LLVMGetVolatile(inst) ? "__heddle_vload" : "__heddle_load";
        value = hd_pass_hook(p, hd_pass_sized(hook, bytes), carrier, args, 2);
        value = hd_pass_from_carrier(p, value, type);
    } else {
        LLVMValueRef slot = hd_pass_slot(p, type);
        hd_memory_through(p, "__heddle_load_n", address, slot, hd_pass_u64(p, bytes), site);
        value = LLVMBuildLoad2(p->builder, type, slot, "");
    }
    hd_pass_replace(inst, value);
    p->stats.hooked++;
}

void hd_memory_store(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst;
    LLVMValueRef value = LLVMGetOperand(inst, 0), address = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value), carrier = hd_pass_carrier(p, type);
    uint64_t bytes = hd_pass_bytes(p, type);
    hd_pass_before(p, inst);
    if (item->region == HD_REGION_THREAD) {
        hd_pass_keep(p, address, hd_pass_u64(p, bytes));
        return;
    }
    if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic) {
        hd_atomic_store(p, item);
        return;
    }
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_WRITE, bytes, 0);
    if (carrier) {
        LLVMValueRef args[] = { address, hd_pass_to_carrier(p, value, carrier),
                                hd_pass_u32(p, site) };
        const char *hook = LLVMGetVolatile(inst) ? "__heddle_vstore" : "__heddle_store";
        hd_pass_hook(p, hd_pass_sized(hook, bytes), p->nothing, args, 3);
    } else {
        LLVMValueRef slot = hd_pass_slot(p, type);
        LLVMBuildStore(p->builder, value, slot);
        hd_memory_through(p, "__heddle_store_n", address, slot, hd_pass_u64(p, bytes), site);
    }
    hd_pass_replace(inst, NULL);
    p->stats.hooked++;
}

static uint64_t constant_or_zero(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

/* Four cases: both sides shared; one of them (the other is the thread's own, and the hook reads
 * or writes it without an event); or thread-local memory that only has to be restored. */
void hd_memory_copy(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst;
    LLVMValueRef to = LLVMGetOperand(inst, 0), from = LLVMGetOperand(inst, 1);
    LLVMValueRef bytes = LLVMGetOperand(inst, 2);
    uint64_t size = constant_or_zero(bytes);
    bool writes = item->region == HD_REGION_SHARED, reads = item->source == HD_REGION_SHARED;
    hd_pass_before(p, inst);
    bytes = LLVMBuildZExtOrBitCast(p->builder, bytes, p->i64, "");
    if (item->region == HD_REGION_THREAD)
        hd_pass_keep(p, to, bytes);
    if (!writes && !reads)
        return;
    enum hd_op op = writes && reads ? HD_OP_COPY : writes ? HD_OP_WRITE : HD_OP_READ;
    uint32_t site = hd_sites_add(&p->sites, inst, op, size, op == HD_OP_READ ? 1 : 0);
    if (writes && reads)
        hd_memory_copy_hook(p, to, from, bytes, site);
    else if (writes)
        hd_memory_through(p, "__heddle_store_n", to, from, bytes, site);
    else
        hd_memory_through(p, "__heddle_load_n", from, to, bytes, site);
    hd_pass_replace(inst, NULL);
    p->stats.hooked++;
}

void hd_memory_fill(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst, to = LLVMGetOperand(inst, 0);
    LLVMValueRef byte = LLVMGetOperand(inst, 1), bytes = LLVMGetOperand(inst, 2);
    hd_pass_before(p, inst);
    LLVMValueRef wide = LLVMBuildZExtOrBitCast(p->builder, bytes, p->i64, "");
    if (item->region == HD_REGION_THREAD) {
        hd_pass_keep(p, to, wide);
        return;
    }
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_WRITE, constant_or_zero(bytes), 0);
    hd_memory_fill_hook(p, to, byte, wide, site);
    hd_pass_replace(inst, NULL);
    p->stats.hooked++;
}
