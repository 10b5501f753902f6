/* qsort without the library's: that one keeps its state where a restore can't see it while the
 * comparison function, which is instrumented, makes steps.  A call becomes one of
 *
 *     __heddle_qsort(base, n, size, compare, read site, write site)
 *         reads the array into a copy on the stack, sorts that, writes it back; but what is too
 *         large for the stack is sorted where it is, every move a hook
 *     __heddle_sort(base, n, size, compare)       for an array of the thread's own
 *
 * (qsort_r: the same with the argument for the comparison after it, and _r after the names)
 * functions of the module's own, built here.  The sort is a binary insertion sort: stable, and
 * few comparisons. */
#include "instrument/expand.h"
#include "instrument/memory.h"

#define MOST_BYTES 16384 /* on the stack */

struct sorter {
    struct hd_pass *p;
    LLVMBuilderRef b;
    LLVMValueRef function, base, n, size, compare;
    LLVMValueRef context;               /* qsort_r's last argument; NULL: qsort */
    LLVMValueRef read_site, write_site; /* NULL: plain accesses */
    LLVMValueRef room;                  /* of one element */
    LLVMValueRef i, low, high;          /* variables: slots */
};

static LLVMBasicBlockRef block(struct sorter *s)
{
    return LLVMAppendBasicBlockInContext(s->p->context, s->function, "");
}

static LLVMValueRef get(struct sorter *s, LLVMValueRef variable)
{
    return LLVMBuildLoad2(s->b, s->p->i64, variable, "");
}

static void set(struct sorter *s, LLVMValueRef variable, LLVMValueRef value)
{
    LLVMBuildStore(s->b, value, variable);
}

static LLVMValueRef plus(struct sorter *s, LLVMValueRef value)
{
    return LLVMBuildAdd(s->b, value, hd_pass_u64(s->p, 1), "");
}

static LLVMValueRef element(struct sorter *s, LLVMValueRef index)
{
    LLVMValueRef offset = LLVMBuildMul(s->b, index, s->size, "");
    return LLVMBuildGEP2(s->b, s->p->i8, s->base, &offset, 1, "");
}

/* Sets low to the first place in [0, i) whose element is greater than the one in room. */
static void build_search(struct sorter *s, LLVMBasicBlockRef found)
{
    LLVMBasicBlockRef test = block(s), halve = block(s), left = block(s), right = block(s);
    LLVMBuildBr(s->b, test);
    LLVMPositionBuilderAtEnd(s->b, test);
    LLVMValueRef open = LLVMBuildICmp(s->b, LLVMIntULT, get(s, s->low), get(s, s->high), "");
    LLVMBuildCondBr(s->b, open, halve, found);

    LLVMPositionBuilderAtEnd(s->b, halve);
    LLVMValueRef sum = LLVMBuildAdd(s->b, get(s, s->low), get(s, s->high), "");
    LLVMValueRef middle = LLVMBuildLShr(s->b, sum, hd_pass_u64(s->p, 1), "");
    LLVMTypeRef params[] = { s->p->pointer, s->p->pointer, s->p->pointer };
    unsigned n = s->context ? 3 : 2;
    LLVMTypeRef type = LLVMFunctionType(s->p->i32, params, n, 0);
    LLVMValueRef args[] = { element(s, middle), s->room, s->context };
    LLVMValueRef order = LLVMBuildCall2(s->b, type, s->compare, args, n, "");
    LLVMValueRef greater = LLVMBuildICmp(s->b, LLVMIntSGT, order, hd_pass_u32(s->p, 0), "");
    LLVMBuildCondBr(s->b, greater, left, right);

    LLVMPositionBuilderAtEnd(s->b, left);
    set(s, s->high, middle);
    LLVMBuildBr(s->b, test);
    LLVMPositionBuilderAtEnd(s->b, right);
    set(s, s->low, plus(s, middle));
    LLVMBuildBr(s->b, test);
}

/* Copies between the array and elsewhere, or inside it. */
static void hook(struct sorter *s, const char *name, LLVMValueRef a, LLVMValueRef b,
                 LLVMValueRef bytes, LLVMValueRef site)
{
    LLVMValueRef args[] = { a, b, bytes, site };
    LLVMBuilderRef saved = s->p->builder;
    s->p->builder = s->b;
    hd_pass_hook(s->p, name, s->p->nothing, args, 4);
    s->p->builder = saved;
}

static void take(struct sorter *s, LLVMValueRef from)
{
    if (s->read_site)
        hook(s, "__heddle_load_n", from, s->room, s->size, s->read_site);
    else
        LLVMBuildMemCpy(s->b, s->room, 1, from, 1, s->size);
}

/* Moves the elements from low on up by one and puts the one in room there. */
static void build_insert(struct sorter *s)
{
    LLVMValueRef low = get(s, s->low), i = get(s, s->i), place = element(s, low);
    LLVMValueRef above = element(s, plus(s, low));
    LLVMValueRef count = LLVMBuildMul(s->b, LLVMBuildSub(s->b, i, low, ""), s->size, "");
    if (s->write_site) {
        hook(s, "__heddle_copy", above, place, count, s->write_site);
        hook(s, "__heddle_store_n", place, s->room, s->size, s->write_site);
    } else {
        LLVMBuildMemMove(s->b, above, 1, place, 1, count);
        LLVMBuildMemCpy(s->b, place, 1, s->room, 1, s->size);
    }
    set(s, s->i, plus(s, i));
}

static void build_sort(struct sorter *s)
{
    LLVMBasicBlockRef entry = block(s), test = block(s), body = block(s), insert = block(s);
    LLVMBasicBlockRef done = block(s);
    LLVMPositionBuilderAtEnd(s->b, entry);
    s->i = LLVMBuildAlloca(s->b, s->p->i64, "");
    s->low = LLVMBuildAlloca(s->b, s->p->i64, "");
    s->high = LLVMBuildAlloca(s->b, s->p->i64, "");
    s->room = LLVMBuildArrayAlloca(s->b, s->p->i8, s->size, "");
    LLVMSetAlignment(s->room, 16);
    set(s, s->i, hd_pass_u64(s->p, 1));
    LLVMBuildBr(s->b, test);

    LLVMPositionBuilderAtEnd(s->b, test);
    LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntULT, get(s, s->i), s->n, "");
    LLVMBuildCondBr(s->b, more, body, done);

    LLVMPositionBuilderAtEnd(s->b, body);
    take(s, element(s, get(s, s->i)));
    set(s, s->low, hd_pass_u64(s->p, 0));
    set(s, s->high, get(s, s->i));
    build_search(s, insert);

    LLVMPositionBuilderAtEnd(s->b, insert);
    build_insert(s);
    LLVMBuildBr(s->b, test);
    LLVMPositionBuilderAtEnd(s->b, done);
    LLVMBuildRetVoid(s->b);
}

/* Which of the functions. */
struct kind {
    bool context, tells;
};

/* Finds the function, or starts one with these parameters: base, n, size, compare, qsort_r's
 * argument and, when it is to tell of its accesses, two sites.  True when the body is to be
 * built. */
static bool start(struct sorter *s, struct hd_pass *p, const char *name, struct kind kind,
                  LLVMTypeRef *type)
{
    LLVMTypeRef params[7] = { p->pointer, p->i64, p->i64, p->pointer };
    unsigned n = 4;
    if (kind.context)
        params[n++] = p->pointer;
    for (unsigned i = 0; kind.tells && i < 2; i++)
        params[n++] = p->i32;
    *type = LLVMFunctionType(p->nothing, params, n, 0);
    *s = (struct sorter){ .p = p, .function = LLVMGetNamedFunction(p->module, name) };
    if (s->function)
        return false;
    s->function = LLVMAddFunction(p->module, name, *type);
    LLVMSetLinkage(s->function, LLVMInternalLinkage);
    s->b = LLVMCreateBuilderInContext(p->context);
    s->base = LLVMGetParam(s->function, 0);
    s->n = LLVMGetParam(s->function, 1);
    s->size = LLVMGetParam(s->function, 2);
    s->compare = LLVMGetParam(s->function, 3);
    if (kind.context)
        s->context = LLVMGetParam(s->function, 4);
    if (kind.tells) {
        s->read_site = LLVMGetParam(s->function, n - 2);
        s->write_site = LLVMGetParam(s->function, n - 1);
    }
    return true;
}

/* The call of such a function with what the one that is being built has got. */
static void build_call(struct sorter *s, LLVMTypeRef type, LLVMValueRef function,
                       LLVMValueRef base, bool tells)
{
    LLVMValueRef args[7] = { base, s->n, s->size, s->compare };
    unsigned n = 4;
    if (s->context)
        args[n++] = s->context;
    if (tells) {
        args[n++] = s->read_site;
        args[n++] = s->write_site;
    }
    LLVMBuildCall2(s->b, type, function, args, n, "");
}

static LLVMValueRef sort_function(struct hd_pass *p, struct kind kind, LLVMTypeRef *type)
{
    static const char *const names[2][2] = { { "__heddle_sort", "__heddle_sort_there" },
                                             { "__heddle_sort_r", "__heddle_sort_there_r" } };
    struct sorter s;
    if (start(&s, p, names[kind.context][kind.tells], kind, type)) {
        build_sort(&s);
        LLVMDisposeBuilder(s.b);
    }
    return s.function;
}

/* Sorting by way of a copy: the builder of `s` stands where it is to be done. */
static void build_copied(struct sorter *s)
{
    LLVMTypeRef type;
    struct kind own = { .context = s->context != NULL };
    LLVMValueRef sort = sort_function(s->p, own, &type);
    LLVMValueRef bytes = LLVMBuildMul(s->b, s->n, s->size, "");
    LLVMValueRef copy = LLVMBuildArrayAlloca(s->b, s->p->i8, bytes, "");
    LLVMSetAlignment(copy, 16);
    hook(s, "__heddle_load_n", s->base, copy, bytes, s->read_site);
    build_call(s, type, sort, copy, false);
    hook(s, "__heddle_store_n", s->base, copy, bytes, s->write_site);
    LLVMBuildRetVoid(s->b);
}

static LLVMValueRef qsort_function(struct hd_pass *p, bool context, LLVMTypeRef *type)
{
    struct sorter s;
    struct kind kind = { context, true };
    if (!start(&s, p, context ? "__heddle_qsort_r" : "__heddle_qsort", kind, type))
        return s.function;
    LLVMBasicBlockRef entry = block(&s), some = block(&s), small = block(&s), large = block(&s);
    LLVMBasicBlockRef none = block(&s);
    LLVMTypeRef there_type;
    LLVMValueRef there = sort_function(p, kind, &there_type);
    LLVMPositionBuilderAtEnd(s.b, entry);
    LLVMValueRef bytes = LLVMBuildMul(s.b, s.n, s.size, "");
    LLVMBuildCondBr(s.b, LLVMBuildIsNull(s.b, bytes, ""), none, some);

    LLVMPositionBuilderAtEnd(s.b, some);
    LLVMValueRef most = hd_pass_u64(p, MOST_BYTES);
    LLVMBuildCondBr(s.b, LLVMBuildICmp(s.b, LLVMIntUGT, bytes, most, ""), large, small);

    LLVMPositionBuilderAtEnd(s.b, small);
    build_copied(&s);
    LLVMPositionBuilderAtEnd(s.b, large);
    build_call(&s, there_type, there, s.base, true);
    LLVMBuildRetVoid(s.b);
    LLVMPositionBuilderAtEnd(s.b, none);
    LLVMBuildRetVoid(s.b);
    LLVMDisposeBuilder(s.b);
    return s.function;
}

enum hd_expanded hd_expand_sort(struct hd_call *c)
{
    struct hd_pass *p = c->p;
    unsigned n = LLVMGetNumArgOperands(c->inst);
    if (n != 4 && n != 5)
        return HD_EXPANDED_NOT;
    struct kind kind = { .context = n == 5, .tells = hd_call_is_shared(c, 0) };
    LLVMTypeRef type;
    LLVMValueRef function = kind.tells ? qsort_function(p, kind.context, &type)
                                       : sort_function(p, kind, &type);
    LLVMValueRef args[7];
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(c->inst, i);
    if (kind.tells) {
        args[n++] = hd_pass_u32(p, hd_call_site(c, HD_OP_READ, 0));
        args[n++] = hd_pass_u32(p, hd_call_site(c, HD_OP_WRITE, 0));
    }
    LLVMBuildCall2(p->builder, type, function, args, n, "");
    hd_pass_replace(c->inst, NULL);
    p->stats.hooked++;
    return HD_EXPANDED_REPLACED;
}
