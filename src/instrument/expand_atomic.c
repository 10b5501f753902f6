/* __atomic_load & co., which clang calls for objects that are large or not known to be aligned.
 *
 * Sizes with hooks of their own become those.  An exchange of others is announced, and the
 * native copying follows it: no thread comes in between, because a step ends only at the next
 * action. */
#include "instrument/atomic.h"
#include "instrument/expand.h"
#include "instrument/memory.h"

#include <stdlib.h>
#include <string.h>

struct atomic {
    struct hd_call *c;
    struct hd_pass *p;
    LLVMTypeRef type; /* integer of the size; NULL: another size */
    LLVMValueRef bytes;
    uint32_t order;
};

static LLVMValueRef arg(const struct hd_call *c, unsigned i)
{
    return LLVMGetOperand(c->inst, i);
}

/* The memory order that argument i is; one that is not constant is taken for seq_cst. */
static LLVMAtomicOrdering ordering(const struct hd_call *c, unsigned i)
{
    static const LLVMAtomicOrdering by_number[] = {
        LLVMAtomicOrderingMonotonic,      LLVMAtomicOrderingAcquire,
        LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent,
    };
    LLVMValueRef value = arg(c, i);
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    if (LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) < 6)
        order = by_number[LLVMConstIntGetZExtValue(value)];
    return order;
}

static uint32_t order_of(struct hd_call *c, unsigned i)
{
    uint32_t order = hd_atomic_order(c->p, c->inst, ordering(c, i), LLVMAtomicOrderingNotAtomic);
    if (LLVMIsAConstantInt(arg(c, i)))
        hd_sites_order(&c->p->sites, c->inst, c->site, order);
    return order;
}

/* A compare-exchange has a second order after the first, for when it fails. */
static uint32_t orders_of(struct hd_call *c, unsigned i)
{
    uint32_t order = hd_atomic_order(c->p, c->inst, ordering(c, i), ordering(c, i + 1));
    if (LLVMIsAConstantInt(arg(c, i)) && LLVMIsAConstantInt(arg(c, i + 1)))
        hd_sites_order(&c->p->sites, c->inst, c->site, order);
    return order;
}

static LLVMTypeRef type_of_size(struct hd_pass *p, LLVMValueRef bytes)
{
    uint64_t n = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 0;
    if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16)
        return NULL;
    return LLVMIntTypeInContext(p->context, (unsigned)n * 8);
}

/* Plain reads and writes of the operands that are not the atomic object. */
static LLVMValueRef read_plain(struct atomic *a, unsigned i)
{
    LLVMValueRef slot = hd_pass_slot(a->p, a->type);
    if (hd_call_is_shared(a->c, i))
        hd_memory_through(a->p, "__heddle_load_n", arg(a->c, i), slot, a->bytes,
                          hd_call_site(a->c, HD_OP_READ, i));
    else
        LLVMBuildMemCpy(a->p->builder, slot, 1, arg(a->c, i), 1, a->bytes);
    return LLVMBuildLoad2(a->p->builder, a->type, slot, "");
}

static void write_bytes(struct atomic *a, unsigned i, LLVMValueRef from, LLVMValueRef bytes)
{
    if (hd_call_is_shared(a->c, i))
        hd_memory_write(a->p, arg(a->c, i), from, bytes, hd_call_site(a->c, HD_OP_WRITE, i));
    else
        LLVMBuildMemCpy(a->p->builder, arg(a->c, i), 1, from, 1, bytes);
}

static void write_plain(struct atomic *a, unsigned i, LLVMValueRef value, LLVMValueRef bytes)
{
    LLVMValueRef slot = hd_pass_slot(a->p, a->type);
    LLVMBuildStore(a->p->builder, value, slot);
    write_bytes(a, i, slot, bytes);
}

static LLVMValueRef none_if(struct atomic *a, LLVMValueRef condition)
{
    return LLVMBuildSelect(a->p->builder, condition, hd_pass_u64(a->p, 0), a->bytes, "");
}

/* The call's result, in its own type. */
static void finish(struct atomic *a, LLVMValueRef result)
{
    LLVMTypeRef type = LLVMTypeOf(a->c->inst);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        result = NULL;
    else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        result = LLVMBuildIntCast2(a->p->builder, result, type, 0, "");
    hd_pass_replace(a->c->inst, result);
    a->p->stats.hooked++;
}

static void cas(struct atomic *a, unsigned object, unsigned expected_at, LLVMValueRef desired)
{
    LLVMValueRef expected = read_plain(a, expected_at);
    LLVMValueRef old = hd_atomic_cas_hook(a->p, arg(a->c, object), expected, desired,
                                          hd_pass_u32(a->p, a->order), a->c->site);
    LLVMValueRef equal = LLVMBuildICmp(a->p->builder, LLVMIntEQ, old, expected, "");
    write_plain(a, expected_at, old, none_if(a, equal));
    finish(a, equal);
}

/* __atomic_load(size, object, to, order) and so on */
static void generic(struct atomic *a, const char *recipe)
{
    struct hd_call *c = a->c;
    struct hd_pass *p = a->p;
    uint32_t site = c->site;
    if (strcmp(recipe, "atomic_load") == 0) {
        LLVMValueRef value = hd_atomic_load_hook(p, arg(c, 1), a->type, a->order, site);
        write_plain(a, 2, value, a->bytes);
        finish(a, NULL);
    } else if (strcmp(recipe, "atomic_store") == 0) {
        LLVMValueRef value = read_plain(a, 2);
        hd_atomic_store_hook(p, arg(c, 1), value, a->order, site);
        finish(a, NULL);
    } else if (strcmp(recipe, "atomic_exchange") == 0) {
        LLVMValueRef value = read_plain(a, 2);
        LLVMValueRef old = hd_atomic_rmw_hook(p, arg(c, 1), value, LLVMAtomicRMWBinOpXchg,
                                              a->order, site);
        write_plain(a, 3, old, a->bytes);
        finish(a, NULL);
    } else {
        cas(a, 1, 2, read_plain(a, 3));
    }
}

/* A private copy of what argument i points to. */
static LLVMValueRef private_copy(struct atomic *a, unsigned i)
{
    if (!hd_call_is_shared(a->c, i))
        return arg(a->c, i);
    LLVMValueRef room = hd_call_stack(a->c, a->bytes);
    hd_memory_through(a->p, "__heddle_load_n", arg(a->c, i), room, a->bytes,
                      hd_call_site(a->c, HD_OP_READ, i));
    return room;
}

static void will_exchange(struct atomic *a, LLVMValueRef object)
{
    LLVMValueRef args[] = { object, a->bytes, hd_pass_u32(a->p, a->order),
                            hd_pass_u32(a->p, a->c->site) };
    hd_pass_hook(a->p, "__heddle_will_rmw", a->p->nothing, args, 4);
}

static void odd_exchange(struct atomic *a)
{
    LLVMBuilderRef b = a->p->builder;
    LLVMValueRef object = arg(a->c, 1), value = private_copy(a, 2);
    LLVMValueRef old = hd_call_stack(a->c, a->bytes);
    will_exchange(a, object);
    LLVMBuildMemCpy(b, old, 1, object, 1, a->bytes);
    LLVMBuildMemCpy(b, object, 1, value, 1, a->bytes);
    write_bytes(a, 3, old, a->bytes);
    finish(a, NULL);
}

static void odd_cas(struct atomic *a)
{
    LLVMBuilderRef b = a->p->builder;
    LLVMValueRef object = arg(a->c, 1);
    LLVMValueRef expected = private_copy(a, 2), desired = private_copy(a, 3);
    LLVMValueRef old = hd_call_stack(a->c, a->bytes);
    will_exchange(a, object);
    LLVMValueRef args[] = { object, expected, a->bytes };
    LLVMValueRef difference = hd_pass_libc(a->p, "memcmp", a->p->i32, args, 3);
    LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, difference, hd_pass_u32(a->p, 0), "");
    LLVMBuildMemCpy(b, old, 1, object, 1, a->bytes);
    LLVMBuildMemMove(b, object, 1, LLVMBuildSelect(b, equal, desired, old, ""), 1, a->bytes);
    write_bytes(a, 2, old, none_if(a, equal));
    finish(a, equal);
}

static void odd_access(struct atomic *a, const char *hook, LLVMValueRef other)
{
    LLVMValueRef args[] = { arg(a->c, 1), other, a->bytes, hd_pass_u32(a->p, a->order),
                            hd_pass_u32(a->p, a->c->site) };
    hd_pass_hook(a->p, hook, a->p->nothing, args, 5);
}

static void odd(struct atomic *a, const char *recipe)
{
    struct hd_call *c = a->c;
    if (strcmp(recipe, "atomic_load") == 0) {
        bool direct = !hd_call_is_shared(c, 2);
        LLVMValueRef to = direct ? arg(c, 2) : hd_call_stack(c, a->bytes);
        odd_access(a, "__heddle_aload_n", to);
        if (!direct)
            write_bytes(a, 2, to, a->bytes);
        finish(a, NULL);
    } else if (strcmp(recipe, "atomic_store") == 0) {
        LLVMValueRef from = private_copy(a, 2);
        odd_access(a, "__heddle_astore_n", from);
        finish(a, NULL);
    } else if (strcmp(recipe, "atomic_exchange") == 0) {
        odd_exchange(a);
    } else {
        odd_cas(a);
    }
}

/* __atomic_load_8(object, order), __atomic_fetch_add_8(object, value, order) and so on */
static bool sized(struct atomic *a, const char *recipe)
{
    static const struct {
        const char *recipe;
        LLVMAtomicRMWBinOp op;
    } rmw[] = {
        { "atomic_exchange_n", LLVMAtomicRMWBinOpXchg },
        { "atomic_fetch_add_n", LLVMAtomicRMWBinOpAdd },
        { "atomic_fetch_sub_n", LLVMAtomicRMWBinOpSub },
        { "atomic_fetch_and_n", LLVMAtomicRMWBinOpAnd },
        { "atomic_fetch_or_n", LLVMAtomicRMWBinOpOr },
        { "atomic_fetch_xor_n", LLVMAtomicRMWBinOpXor },
        { "atomic_fetch_nand_n", LLVMAtomicRMWBinOpNand },
    };
    struct hd_call *c = a->c;
    if (strcmp(recipe, "atomic_load_n") == 0) {
        a->order = order_of(c, 1);
        finish(a, hd_atomic_load_hook(a->p, arg(c, 0), a->type, a->order, c->site));
        return true;
    }
    LLVMValueRef value = arg(c, strcmp(recipe, "atomic_compare_exchange_n") == 0 ? 2 : 1);
    if (LLVMTypeOf(value) != a->type)
        return false;
    if (strcmp(recipe, "atomic_store_n") == 0) {
        hd_atomic_store_hook(a->p, arg(c, 0), value, order_of(c, 2), c->site);
        finish(a, NULL);
        return true;
    }
    if (strcmp(recipe, "atomic_compare_exchange_n") == 0) {
        a->order = orders_of(c, 3);
        cas(a, 0, 1, value);
        return true;
    }
    for (size_t i = 0; i < sizeof rmw / sizeof *rmw; i++)
        if (strcmp(recipe, rmw[i].recipe) == 0) {
            finish(a, hd_atomic_rmw_hook(a->p, arg(c, 0), value, rmw[i].op, order_of(c, 2),
                                         c->site));
            return true;
        }
    return false;
}

/* A compare-exchange without a hook of its own is taken to write in any case. */
static enum hd_op op_of(const char *recipe, bool hooked)
{
    if (hd_str_starts(recipe, "atomic_load"))
        return HD_OP_ATOMIC_READ;
    if (hd_str_starts(recipe, "atomic_store"))
        return HD_OP_ATOMIC_WRITE;
    return hooked && hd_str_starts(recipe, "atomic_compare") ? HD_OP_CAS : HD_OP_RMW;
}

static void set_site(struct atomic *a, const char *recipe, unsigned object)
{
    uint64_t size = LLVMIsAConstantInt(a->bytes) ? LLVMConstIntGetZExtValue(a->bytes) : 0;
    a->c->site = hd_sites_add(&a->p->sites, a->c->inst, op_of(recipe, a->type != NULL), size,
                              object);
}

enum hd_expanded hd_expand_atomic(struct hd_call *c, const char *recipe)
{
    struct atomic a = { .c = c, .p = c->p };
    bool by_size = hd_str_ends(recipe, "_n");
    unsigned n_args = LLVMGetNumArgOperands(c->inst);
    if (hd_call_region(c, by_size ? 0 : 1) != HD_REGION_SHARED)
        return HD_EXPANDED_LEFT;
    if (n_args < 2 || (!by_size && n_args < 4))
        return HD_EXPANDED_NOT;
    if (by_size) {
        const char *digits = strrchr(c->name, '_') + 1;
        a.bytes = hd_pass_u64(c->p, strtoul(digits, NULL, 10));
        a.type = type_of_size(c->p, a.bytes);
        set_site(&a, recipe, 0);
        return sized(&a, recipe) ? HD_EXPANDED_REPLACED : HD_EXPANDED_NOT;
    }
    a.bytes = arg(c, 0);
    a.type = type_of_size(c->p, a.bytes);
    set_site(&a, recipe, 1);
    a.order = n_args == 6 ? orders_of(c, 4) : order_of(c, n_args - 1);
    if (a.type)
        generic(&a, recipe);
    else
        odd(&a, recipe);
    return HD_EXPANDED_REPLACED;
}
