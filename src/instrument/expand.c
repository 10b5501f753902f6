#include "instrument/expand.h"

#include "instrument/bounds.h"
#include "instrument/memory.h"

#include <string.h>

static LLVMValueRef arg(const struct hd_call *c, unsigned i)
{
    return LLVMGetOperand(c->inst, i);
}

static LLVMValueRef offset(struct hd_call *c, LLVMValueRef pointer, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(c->p->builder, c->p->i8, pointer, &bytes, 1, "");
}

static LLVMValueRef plus(struct hd_call *c, LLVMValueRef value, uint64_t more)
{
    return LLVMBuildAdd(c->p->builder, value, hd_pass_u64(c->p, more), "");
}

static LLVMValueRef min(struct hd_call *c, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef less = LLVMBuildICmp(c->p->builder, LLVMIntULT, a, b, "");
    return LLVMBuildSelect(c->p->builder, less, a, b, "");
}

/* Length of the string in argument i, at most `limit` when that is given; the read is
 * announced. */
static LLVMValueRef length(struct hd_call *c, unsigned i, LLVMValueRef limit)
{
    LLVMValueRef args[] = { arg(c, i), limit ? limit : hd_pass_u64(c->p, UINT64_MAX) };
    if (hd_call_is_shared(c, i))
        hd_call_will_read_string(c, i, args[1]);
    return limit ? hd_pass_libc(c->p, "strnlen", c->p->i64, args, 2)
                 : hd_pass_libc(c->p, "strlen", c->p->i64, args, 1);
}

/* `to` lies in the memory of argument t, `from` in that of argument f. */
static void copy(struct hd_call *c, LLVMValueRef to, unsigned t, LLVMValueRef from, unsigned f,
                 LLVMValueRef bytes)
{
    bool writes = hd_call_is_shared(c, t), reads = hd_call_is_shared(c, f);
    if (hd_call_region(c, t) == HD_REGION_THREAD)
        hd_pass_keep(c->p, to, bytes);
    if (writes && reads)
        hd_memory_copy_hook(c->p, to, from, bytes, hd_call_site(c, HD_OP_COPY, t));
    else if (writes)
        hd_memory_through(c->p, "__heddle_store_n", to, from, bytes,
                          hd_call_site(c, HD_OP_WRITE, t));
    else if (reads)
        hd_memory_through(c->p, "__heddle_load_n", from, to, bytes,
                          hd_call_site(c, HD_OP_READ, f));
    else
        LLVMBuildMemMove(c->p->builder, to, 1, from, 1, bytes);
}

static void fill(struct hd_call *c, LLVMValueRef to, unsigned t, LLVMValueRef byte,
                 LLVMValueRef bytes)
{
    if (hd_call_region(c, t) == HD_REGION_THREAD)
        hd_pass_keep(c->p, to, bytes);
    if (hd_call_is_shared(c, t))
        hd_memory_fill_hook(c->p, to, byte, bytes, hd_call_site(c, HD_OP_WRITE, t));
    else
        LLVMBuildMemSet(c->p->builder, to, byte, bytes, 1);
}

/* Stores the pointer in the slot through argument t. */
static void store_slot(struct hd_call *c, unsigned t, LLVMValueRef slot)
{
    LLVMValueRef bytes = hd_pass_u64(c->p, 8);
    if (hd_call_region(c, t) == HD_REGION_THREAD)
        hd_pass_keep(c->p, arg(c, t), bytes);
    if (hd_call_is_shared(c, t))
        hd_memory_write(c->p, arg(c, t), slot, bytes, hd_call_site(c, HD_OP_WRITE, t));
    else
        LLVMBuildMemCpy(c->p->builder, arg(c, t), 1, slot, 1, bytes);
}

static LLVMValueRef zero_byte(struct hd_call *c) { return LLVMConstInt(c->p->i8, 0, 0); }

static LLVMValueRef do_memcpy(struct hd_call *c)
{
    copy(c, arg(c, 0), 0, arg(c, 1), 1, arg(c, 2));
    return arg(c, 0);
}

static LLVMValueRef do_mempcpy(struct hd_call *c)
{
    copy(c, arg(c, 0), 0, arg(c, 1), 1, arg(c, 2));
    return offset(c, arg(c, 0), arg(c, 2));
}

static LLVMValueRef do_bcopy(struct hd_call *c)
{
    copy(c, arg(c, 1), 1, arg(c, 0), 0, arg(c, 2));
    return NULL;
}

static LLVMValueRef do_memset(struct hd_call *c)
{
    LLVMValueRef byte = LLVMBuildTrunc(c->p->builder, arg(c, 1), c->p->i8, "");
    fill(c, arg(c, 0), 0, byte, arg(c, 2));
    return arg(c, 0);
}

static LLVMValueRef do_bzero(struct hd_call *c)
{
    fill(c, arg(c, 0), 0, zero_byte(c), arg(c, 1));
    return NULL;
}

static LLVMValueRef do_strcpy(struct hd_call *c)
{
    copy(c, arg(c, 0), 0, arg(c, 1), 1, plus(c, length(c, 1, NULL), 1));
    return arg(c, 0);
}

static LLVMValueRef do_stpcpy(struct hd_call *c)
{
    LLVMValueRef n = length(c, 1, NULL);
    copy(c, arg(c, 0), 0, arg(c, 1), 1, plus(c, n, 1));
    return offset(c, arg(c, 0), n);
}

static LLVMValueRef do_strncpy(struct hd_call *c)
{
    LLVMValueRef n = length(c, 1, arg(c, 2));
    copy(c, arg(c, 0), 0, arg(c, 1), 1, n);
    fill(c, offset(c, arg(c, 0), n), 0, zero_byte(c),
         LLVMBuildSub(c->p->builder, arg(c, 2), n, ""));
    return arg(c, 0);
}

static LLVMValueRef do_stpncpy(struct hd_call *c)
{
    LLVMValueRef n = length(c, 1, arg(c, 2));
    copy(c, arg(c, 0), 0, arg(c, 1), 1, n);
    LLVMValueRef end = offset(c, arg(c, 0), n);
    fill(c, end, 0, zero_byte(c), LLVMBuildSub(c->p->builder, arg(c, 2), n, ""));
    return end;
}

/* Two pointers change places. */
static LLVMValueRef do_swap(struct hd_call *c)
{
    LLVMValueRef slot[2], bytes = hd_pass_u64(c->p, 8);
    for (unsigned i = 0; i < 2; i++) {
        slot[i] = hd_pass_slot(c->p, c->p->pointer);
        if (hd_call_is_shared(c, i))
            hd_memory_read(c->p, arg(c, i), slot[i], bytes, hd_call_site(c, HD_OP_READ, i));
        else
            LLVMBuildMemCpy(c->p->builder, slot[i], 1, arg(c, i), 1, bytes);
    }
    for (unsigned i = 0; i < 2; i++)
        store_slot(c, i, slot[1 - i]);
    return NULL;
}

static LLVMValueRef do_strcat(struct hd_call *c)
{
    LLVMValueRef end = offset(c, arg(c, 0), length(c, 0, NULL));
    copy(c, end, 0, arg(c, 1), 1, plus(c, length(c, 1, NULL), 1));
    return arg(c, 0);
}

static LLVMValueRef do_strncat(struct hd_call *c)
{
    LLVMValueRef end = offset(c, arg(c, 0), length(c, 0, NULL));
    LLVMValueRef n = length(c, 1, arg(c, 2));
    copy(c, end, 0, arg(c, 1), 1, n);
    fill(c, offset(c, end, n), 0, zero_byte(c), hd_pass_u64(c->p, 1));
    return arg(c, 0);
}

static const struct {
    const char *name;
    LLVMValueRef (*build)(struct hd_call *c); /* the result */
    unsigned n_args;
} simple[] = {
    { "memcpy", do_memcpy, 3 },   { "mempcpy", do_mempcpy, 3 }, { "bcopy", do_bcopy, 3 },
    { "memset", do_memset, 3 },   { "bzero", do_bzero, 2 },     { "strcpy", do_strcpy, 2 },
    { "stpcpy", do_stpcpy, 2 },   { "strncpy", do_strncpy, 3 }, { "strcat", do_strcat, 2 },
    { "strncat", do_strncat, 3 }, { "stpncpy", do_stpncpy, 3 }, { "swap", do_swap, 2 },
};

/* The end of the number goes into a slot of our own and then, as a store of its own, where the
 * program wants it. */
static enum hd_expanded expand_strtol(struct hd_call *c)
{
    struct hd_pass *p = c->p;
    if (LLVMGetNumArgOperands(c->inst) < 2)
        return HD_EXPANDED_NOT;
    hd_call_keep_errno(c);
    if (hd_call_is_shared(c, 0))
        hd_call_will_read_string(c, 0, hd_pass_u64(p, UINT64_MAX));
    if (!hd_call_is_shared(c, 1))
        return HD_EXPANDED_LEFT;
    LLVMValueRef end = arg(c, 1), slot = hd_pass_slot(p, p->pointer);
    LLVMSetOperand(c->inst, 1, slot);
    hd_call_behind(c);
    LLVMValueRef none = LLVMBuildIsNull(p->builder, end, "");
    LLVMValueRef bytes = LLVMBuildSelect(p->builder, none, hd_pass_u64(p, 0), hd_pass_u64(p, 8),
                                         "");
    hd_memory_write(p, end, slot, bytes, hd_call_site(c, HD_OP_WRITE, 1));
    return HD_EXPANDED_LEFT;
}

/* The same for two results: the call writes into slots, and each is stored separately. */
static enum hd_expanded expand_sincos(struct hd_call *c, uint64_t bytes)
{
    struct hd_pass *p = c->p;
    LLVMValueRef to[2] = { NULL, NULL }, slots[2];
    if (LLVMGetNumArgOperands(c->inst) != 3)
        return HD_EXPANDED_NOT;
    for (unsigned i = 0; i < 2; i++) {
        if (!hd_call_is_shared(c, i + 1))
            continue;
        to[i] = arg(c, i + 1);
        slots[i] = hd_pass_slot(p, LLVMTypeOf(arg(c, 0)));
        LLVMSetOperand(c->inst, i + 1, slots[i]);
    }
    hd_call_behind(c);
    for (unsigned i = 0; i < 2; i++)
        if (to[i])
            hd_memory_write(p, to[i], slots[i], hd_pass_u64(p, bytes),
                            hd_call_site(c, HD_OP_WRITE, i + 1));
    return HD_EXPANDED_LEFT;
}

static LLVMValueRef span(struct hd_call *c, const char *function, LLVMValueRef text,
                         LLVMValueRef set)
{
    LLVMValueRef args[] = { text, set };
    return hd_pass_libc(c->p, function, c->p->i64, args, 2);
}

static LLVMValueRef byte_at(struct hd_call *c, LLVMValueRef pointer)
{
    LLVMValueRef byte = LLVMBuildLoad2(c->p->builder, c->p->i8, pointer, "");
    return LLVMBuildIsNotNull(c->p->builder, byte, "");
}

/* A pointer-sized store to argument i. */
static void store_pointer(struct hd_call *c, unsigned i, LLVMValueRef value)
{
    struct hd_pass *p = c->p;
    LLVMValueRef slot = hd_pass_slot(p, p->pointer);
    LLVMBuildStore(p->builder, value, slot);
    store_slot(c, i, slot);
}

/* strtok_r(text or NULL, set, save): reads the text from where it stands, ends the token with a
 * NUL unless it ends there anyway, moves *save on.  The set must be one that no other thread
 * can change meanwhile. */
static enum hd_expanded expand_strtok(struct hd_call *c)
{
    struct hd_pass *p = c->p;
    LLVMBuilderRef b = p->builder;
    if (LLVMGetNumArgOperands(c->inst) != 3 || hd_call_is_shared(c, 1))
        return HD_EXPANDED_NOT;
    LLVMValueRef slot = hd_pass_slot(p, p->pointer), eight = hd_pass_u64(p, 8);
    LLVMValueRef goes_on = LLVMBuildIsNull(b, arg(c, 0), "");
    LLVMValueRef bytes = LLVMBuildSelect(b, goes_on, eight, hd_pass_u64(p, 0), "");
    LLVMBuildStore(b, arg(c, 0), slot);
    if (hd_call_is_shared(c, 2))
        hd_memory_read(p, arg(c, 2), slot, bytes, hd_call_site(c, HD_OP_READ, 2));
    else
        LLVMBuildMemCpy(b, slot, 1, arg(c, 2), 1, bytes);
    LLVMValueRef text = LLVMBuildLoad2(b, p->pointer, slot, "");
    LLVMValueRef read[] = { text, hd_pass_u64(p, UINT64_MAX),
                            hd_pass_u32(p, hd_call_site(c, HD_OP_READ, 0)) };
    hd_pass_hook(p, "__heddle_will_read_string", p->nothing, read, 3);
    LLVMValueRef begin = offset(c, text, span(c, "strspn", text, arg(c, 1)));
    LLVMValueRef end = offset(c, begin, span(c, "strcspn", begin, arg(c, 1)));
    LLVMValueRef any = byte_at(c, begin), more = byte_at(c, end);
    LLVMValueRef cut = LLVMBuildZExt(b, more, p->i64, "");
    LLVMValueRef nul = hd_pass_slot(p, p->i8);
    LLVMBuildStore(b, zero_byte(c), nul);
    hd_memory_write(p, end, nul, cut, hd_call_site(c, HD_OP_WRITE, 0));
    store_pointer(c, 2, offset(c, end, cut));
    hd_pass_replace(c->inst, LLVMBuildSelect(b, any, begin, LLVMConstNull(p->pointer), ""));
    return HD_EXPANDED_REPLACED;
}

/* snprintf(NULL, 0, …) with the arguments of the call, which start at `first`. */
static LLVMValueRef formatted(struct hd_call *c, LLVMValueRef into, LLVMValueRef room,
                              unsigned first)
{
    struct hd_pass *p = c->p;
    LLVMValueRef args[64];
    unsigned n = 2;
    args[0] = into;
    args[1] = room;
    for (unsigned i = first; i < LLVMGetNumArgOperands(c->inst); i++)
        args[n++] = arg(c, i);
    LLVMTypeRef types[] = { p->pointer, p->i64, p->pointer };
    LLVMTypeRef type = LLVMFunctionType(p->i32, types, 3, 1);
    LLVMValueRef function = LLVMGetNamedFunction(p->module, "snprintf");
    if (function == NULL)
        function = LLVMAddFunction(p->module, "snprintf", type);
    return LLVMBuildCall2(p->builder, type, function, args, n, "");
}

/* How many bytes the call stores. */
static LLVMValueRef text_bytes(struct hd_call *c, bool limited)
{
    struct hd_pass *p = c->p;
    LLVMValueRef none = LLVMConstNull(p->pointer);
    LLVMValueRef n = formatted(c, none, hd_pass_u64(p, 0), limited ? 2 : 1);
    LLVMValueRef bytes = plus(c, LLVMBuildSExt(p->builder, n, p->i64, ""), 1);
    return limited ? min(c, bytes, arg(c, 1)) : bytes;
}

/* The text must not leave the array inside a structure that the call names. */
static void check_member(struct hd_call *c, LLVMValueRef bytes)
{
    LLVMValueRef base = NULL;
    uint64_t size = hd_bounds_of_member(c->p, arg(c, 0), &base);
    LLVMValueRef args[] = { arg(c, 0),
                            bytes,
                            base,
                            hd_pass_u64(c->p, size),
                            hd_pass_u32(c->p, 0),
                            hd_pass_u32(c->p, hd_call_site(c, HD_OP_NONE, 0)) };
    if (size)
        hd_pass_hook(c->p, "__heddle_inside", c->p->nothing, args, 6);
}

/* The call itself stores the text, in memory that other threads do not use. */
static enum hd_expanded leave_snprintf(struct hd_call *c, bool limited)
{
    struct hd_pass *p = c->p;
    LLVMValueRef to = arg(c, 0), base;
    uint32_t name, site = hd_call_site(c, HD_OP_NONE, 0);
    uint64_t member = hd_bounds_of_member(p, to, &base);
    uint64_t size = hd_bounds_of_variable(p, to, &base, &name);
    bool own = hd_call_region(c, 0) == HD_REGION_THREAD;
    if (limited && size && !own && to == base && LLVMIsAConstantInt(arg(c, 1)) &&
        LLVMConstIntGetZExtValue(arg(c, 1)) <= (member ? member : size))
        return HD_EXPANDED_LEFT; /* there is room, whatever is printed */
    LLVMValueRef bytes = text_bytes(c, limited);
    check_member(c, bytes);
    LLVMValueRef within[] = { to, bytes, hd_pass_u32(p, site) };
    LLVMValueRef inside[] = {
        to, bytes, base, hd_pass_u64(p, size), hd_pass_u32(p, name), hd_pass_u32(p, site)
    };
    if (size)
        hd_pass_hook(p, "__heddle_inside", p->nothing, inside, 6);
    hd_pass_hook(p, "__heddle_within", p->nothing, within, 3);
    if (own)
        hd_pass_keep(p, to, bytes);
    return HD_EXPANDED_LEFT;
}

/* The text is made on the stack and stored as one write of just its length. */
static enum hd_expanded expand_snprintf(struct hd_call *c, bool limited)
{
    struct hd_pass *p = c->p;
    unsigned format = limited ? 2 : 1;
    unsigned n_args = LLVMGetNumArgOperands(c->inst);
    if (n_args <= format || n_args > 60)
        return HD_EXPANDED_NOT;
    bool stored = hd_call_is_shared(c, 0);
    if (!hd_call_format(c, format, stored))
        return HD_EXPANDED_NOT;
    if (!stored)
        return leave_snprintf(c, limited);
    LLVMValueRef to = arg(c, 0);
    LLVMValueRef bytes = text_bytes(c, limited);
    check_member(c, bytes);
    LLVMValueRef text = hd_call_stack(c, bytes);
    LLVMValueRef result = formatted(c, text, bytes, format);
    hd_memory_write(p, to, text, bytes, hd_call_site(c, HD_OP_WRITE, 0));
    hd_pass_replace(c->inst, result);
    return HD_EXPANDED_REPLACED;
}

static bool touches_shared(const struct hd_call *c, unsigned n_args)
{
    for (unsigned i = 0; i < n_args; i++)
        if (hd_call_region(c, i) == HD_REGION_SHARED || hd_call_region(c, i) == HD_REGION_THREAD)
            return true;
    return false;
}

enum hd_expanded hd_expand(struct hd_call *c, const char *recipe)
{
    if (LLVMIsAInvokeInst(c->inst))
        return HD_EXPANDED_NOT;
    hd_pass_before(c->p, c->inst);
    if (strcmp(recipe, "strtol") == 0)
        return expand_strtol(c);
    if (strcmp(recipe, "sincos") == 0)
        return expand_sincos(c, 8);
    if (strcmp(recipe, "sincosf") == 0)
        return expand_sincos(c, 4);
    if (strcmp(recipe, "sincosl") == 0)
        return expand_sincos(c, 16);
    if (strcmp(recipe, "snprintf") == 0)
        return expand_snprintf(c, true);
    if (strcmp(recipe, "sprintf") == 0)
        return expand_snprintf(c, false);
    if (strcmp(recipe, "strtok_r") == 0)
        return expand_strtok(c);
    if (strcmp(recipe, "qsort") == 0)
        return hd_expand_sort(c);
    if (hd_str_starts(recipe, "atomic_"))
        return hd_expand_atomic(c, recipe);
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (strcmp(recipe, simple[i].name) != 0)
            continue;
        if (LLVMGetNumArgOperands(c->inst) != simple[i].n_args)
            return HD_EXPANDED_NOT;
        if (!touches_shared(c, simple[i].n_args))
            return HD_EXPANDED_LEFT;
        LLVMValueRef result = simple[i].build(c);
        bool used = LLVMGetTypeKind(LLVMTypeOf(c->inst)) != LLVMVoidTypeKind;
        hd_pass_replace(c->inst, used ? result : NULL);
        c->p->stats.hooked++;
        return HD_EXPANDED_REPLACED;
    }
    hd_bug("libc.def: no recipe %s", recipe);
}
