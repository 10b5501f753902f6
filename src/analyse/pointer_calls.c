/* What functions that are only declared do with pointers: intrinsics, the library
 * (pointers.def, then libc.def), and code of which nothing is known. */
#include "analyse/format.h"
#include "analyse/libc.h"
#include "analyse/points_to.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *name, *effects;
} rows[] = {
#define HD_POINTERS(name, effects) { name, effects },
#include "analyse/pointers.def"
#undef HD_POINTERS
};

const char *hd_points_to_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        bool prefix = rows[i].name[n - 1] == '*';
        if (prefix ? strncmp(name, rows[i].name, n - 1) == 0 : strcmp(name, rows[i].name) == 0)
            return rows[i].effects;
    }
    return NULL;
}

struct call {
    struct hd_points_to *p;
    uint32_t caller;
    struct hd_caller c;
    LLVMValueRef inst;
};

static uint32_t arg(const struct call *call, uint32_t i)
{
    return i < call->c.n_args ? call->p->arg_nodes[call->c.args + i] : HD_NO_NODE;
}

static uint32_t kept(const struct call *call)
{
    return hd_objects_location(&call->p->objects, call->p->library, HD_ANYWHERE);
}

/* ---- new objects ---- */

static LLVMValueRef operand(const struct call *call, int i)
{
    return i >= 0 && (unsigned)i < LLVMGetNumArgOperands(call->inst)
               ? LLVMGetOperand(call->inst, (unsigned)i)
               : NULL;
}

static bool constant(LLVMValueRef value, uint64_t *number)
{
    if (value == NULL || !LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetZExtValue(value);
    return true;
}

/* n * sizeof(T) is a multiplication (or a shift) by a constant. */
static uint64_t factor(LLVMValueRef value)
{
    uint64_t number;
    if (value && LLVMIsAInstruction(value)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(value);
        if (op == LLVMMul && (constant(LLVMGetOperand(value, 1), &number) ||
                              constant(LLVMGetOperand(value, 0), &number)))
            return number;
        if (op == LLVMShl && constant(LLVMGetOperand(value, 1), &number) && number < 32)
            return 1ull << number;
    }
    return 0;
}

/* The type through which the new object is used, when it has that size. */
static LLVMTypeRef guess_type(const struct call *call, uint64_t bytes)
{
    for (LLVMUseRef use = LLVMGetFirstUse(call->inst); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != call->inst)
            continue;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(user);
        if (LLVMTypeIsSized(type) && LLVMABISizeOfType(call->p->code->layout, type) == bytes)
            return type;
    }
    return NULL;
}

static uint32_t new_object(const struct call *call, int first, int second)
{
    uint32_t known = hd_objects_find(&call->p->objects, call->inst);
    if (known != HD_NO_POINT)
        return known;
    struct hd_abstract object = { .kind = HD_OBJECT_HEAP, .value = call->inst };
    uint64_t a, b = 1;
    LLVMValueRef x = operand(call, first), y = operand(call, second);
    bool fixed = constant(x, &a) && (y == NULL || constant(y, &b));
    if (fixed && (y == NULL || a == 1))
        object.bytes = a * b;
    else if (y && constant(y, &b))
        object.period = b;
    else
        object.period = factor(x);
    if (object.bytes || object.period)
        object.type = guess_type(call, object.bytes ? object.bytes : object.period);
    return hd_objects_add(&call->p->objects, object);
}

/* ---- effects ---- */

static uint32_t number(const char **text)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    if (end == *text)
        hd_bug("pointers.def: a number is missing before \"%s\"", *text);
    *text = end;
    return (uint32_t)value;
}

static void sizes(const char *effects, int *first, int *second)
{
    const char *z = strchr(effects, 'z');
    *first = *second = -1;
    if (z == NULL)
        return;
    z++;
    *first = (int)number(&z);
    if (*z == '*') {
        z++;
        *second = (int)number(&z);
    }
}

/* A library function may hand on a copy of what it was given (qsort sorts in a buffer). */
static uint32_t copy_of(const struct call *call, uint32_t from)
{
    struct hd_points_to *p = call->p;
    uint32_t object = hd_objects_add(&p->objects,
                                     (struct hd_abstract){ .kind = HD_OBJECT_STACK });
    uint32_t held = hd_solver_node(p->solver);
    uint32_t location = hd_objects_location(&p->objects, object, HD_ANYWHERE);
    hd_solver_load(p->solver, from, held, 0);
    hd_solver_hold(p->solver, location, 0, held);
    return location;
}

static void calls_argument(const struct call *call, const char **text, enum hd_edge_kind kind)
{
    struct hd_points_to *p = call->p;
    uint32_t callee = arg(call, number(text));
    uint32_t caller = hd_points_to_caller(p, call->c.point, kind, HD_NO_NODE);
    if (*(*text)++ != ':')
        hd_bug("pointers.def: no arguments before \"%s\"", *text);
    while (**text && **text != ' ') {
        uint32_t node = hd_solver_node(p->solver);
        if (**text == 'g') {
            ++*text;
            hd_solver_load(p->solver, hd_points_to_location_node(p, kept(call)), node, 0);
        } else if (kind == HD_EDGE_SPAWN) {
            node = arg(call, number(text));
        } else {
            uint32_t from = arg(call, number(text));
            hd_solver_smear(p->solver, from, node);
            hd_solver_add(p->solver, node, copy_of(call, from));
        }
        hd_points_to_arg(p, caller, node);
        if (**text == ',')
            ++*text;
    }
    hd_points_to_calls(p, caller, callee);
}

static void copy_contents(struct hd_points_to *p, uint32_t to, uint32_t from)
{
    uint32_t held = hd_solver_node(p->solver);
    hd_solver_load(p->solver, from, held, 0);
    hd_solver_store(p->solver, to, held, 0);
}

static void printed(const struct call *call, unsigned format)
{
    uint32_t fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call->inst));
    for (uint32_t i = fixed; i < call->c.n_args; i++)
        if (!hd_format_is_string(call->inst, format, i))
            hd_solver_copy(call->p->solver, arg(call, i), HD_ESCAPE);
}

/* Effects on what pointers point to.  False: it is none of these. */
static bool moves(const struct call *call, const char *whole, char effect, const char **text)
{
    struct hd_points_to *p = call->p;
    struct hd_solver *s = p->solver;
    uint32_t result = call->c.result, a, b;
    int first, second;
    sizes(whole, &first, &second);
    switch (effect) {
    case '=':
        hd_solver_smear(s, arg(call, number(text)), result);
        break;
    case '^':
        hd_solver_copy(s, arg(call, number(text)), result);
        break;
    case 'n':
        a = new_object(call, first, second);
        if (hd_str_starts(*text, "ew")) {
            *text += 2;
            hd_solver_add(s, result, hd_objects_location(&p->objects, a, 0));
        } else {
            b = hd_points_to_location_node(p, hd_objects_location(&p->objects, a, 0));
            hd_solver_store(s, arg(call, number(text)), b, 8);
        }
        break;
    case 'r': /* the new object holds what the old one did */
        a = new_object(call, first, second);
        b = hd_solver_node(s);
        hd_solver_load(s, arg(call, number(text)), b, 0);
        hd_solver_hold(s, hd_objects_location(&p->objects, a, HD_ANYWHERE), 0, b);
        break;
    case 'c':
        a = number(text);
        ++*text;
        copy_contents(p, arg(call, a), arg(call, number(text)));
        break;
    case 's':
        a = number(text);
        ++*text;
        b = hd_solver_node(s);
        hd_solver_smear(s, arg(call, number(text)), b);
        hd_solver_store(s, arg(call, a), b, 8);
        break;
    case 'l':
        hd_solver_load(s, arg(call, number(text)), result, 0);
        break;
    case 'k':
        hd_solver_hold(s, kept(call), 0, arg(call, number(text)));
        break;
    case 'g':
        a = hd_solver_node(s);
        hd_solver_load(s, hd_points_to_location_node(p, kept(call)), a, 0);
        if (**text >= '0' && **text <= '9')
            hd_solver_store(s, arg(call, number(text)), a, 8);
        else
            hd_solver_copy(s, a, result);
        break;
    default:
        return false;
    }
    return true;
}

static void one_effect(const struct call *call, const char *whole, const char **text)
{
    struct hd_points_to *p = call->p;
    struct hd_solver *s = p->solver;
    uint32_t node;
    char effect = *(*text)++;
    if (moves(call, whole, effect, text))
        return;
    switch (effect) {
    case 'x':
        hd_solver_copy(s, arg(call, number(text)), HD_ESCAPE);
        hd_solver_add(s, call->c.result, HD_UNKNOWN_LOCATION);
        break;
    case 'o':
        node = hd_solver_node(s);
        hd_solver_load(s, arg(call, number(text)), node, 0);
        hd_solver_copy(s, node, HD_ESCAPE);
        break;
    case 'f':
        printed(call, number(text));
        break;
    case '&':
        calls_argument(call, text, HD_EDGE_LATER);
        break;
    case '@':
        calls_argument(call, text, HD_EDGE_CALLBACK);
        break;
    case '!':
        calls_argument(call, text, HD_EDGE_SPAWN);
        break;
    case 'i':
        hd_solver_store(s, arg(call, number(text)),
                        hd_points_to_location_node(p, HD_UNKNOWN_LOCATION), 0);
        break;
    case 'z':
        *text += strcspn(*text, " ");
        break;
    case '.':
        break;
    default:
        hd_bug("pointers.def: unknown effect \"%s\"", *text - 1);
    }
}

static void by_row(const struct call *call, const char *effects)
{
    const char *text = effects;
    while (*text) {
        one_effect(call, effects, &text);
        text += strspn(text, " ");
    }
}

/* ---- std::thread ---- */

/* std::thread::_M_start_thread(this, unique_ptr<_State>, …): the third slot of the state's
 * virtual table is its _M_run. */
static void start_state(const struct call *call)
{
    struct hd_points_to *p = call->p;
    struct hd_solver *s = p->solver;
    struct hd_offset slot = { .constant = 16, .source = 1 };
    uint32_t state = hd_solver_node(s), table = hd_solver_node(s);
    uint32_t at = hd_solver_node(s), run = hd_solver_node(s);
    hd_solver_load(s, arg(call, 1), state, 8);
    hd_solver_load(s, state, table, 8);
    hd_solver_move(s, table, at, &slot);
    hd_solver_load(s, at, run, 8);
    uint32_t caller = hd_points_to_caller(p, call->c.point, HD_EDGE_SPAWN, HD_NO_NODE);
    hd_points_to_arg(p, caller, state);
    hd_points_to_calls(p, caller, run);
}

/* ---- intrinsics ---- */

/* Copies of a few words keep the words apart. */
static void copy_words(const struct call *call)
{
    enum { MOST_BYTES = 128 };
    struct hd_points_to *p = call->p;
    struct hd_solver *s = p->solver;
    uint64_t bytes;
    if (!constant(operand(call, 2), &bytes) || bytes > MOST_BYTES) {
        copy_contents(p, arg(call, 0), arg(call, 1));
        return;
    }
    for (uint64_t at = 0; at < bytes; at += 8) {
        struct hd_offset by = { .constant = (int64_t)at, .source = bytes };
        uint64_t n = bytes - at < 8 ? bytes - at : 8;
        uint32_t to = hd_solver_node(s), from = hd_solver_node(s), word = hd_solver_node(s);
        hd_solver_move(s, arg(call, 1), from, &by);
        hd_solver_load(s, from, word, n);
        hd_solver_move(s, arg(call, 0), to, &by);
        hd_solver_store(s, to, word, n);
    }
}

static bool starts_with_any(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (hd_str_starts(name, *list))
            return true;
    return false;
}

static bool by_intrinsic(const struct call *call, const char *name)
{
    static const char *const same[] = { "llvm.threadlocal.address",
                                        "llvm.expect",
                                        "llvm.launder.",
                                        "llvm.strip.",
                                        "llvm.ssa.copy",
                                        "llvm.ptr.annotation",
                                        "llvm.annotation",
                                        "llvm.ptrmask",
                                        NULL };
    static const char *const nothing[] = {
        "llvm.dbg.",       "llvm.lifetime.",   "llvm.memset",        "llvm.va_end",
        "llvm.assume",     "llvm.objectsize.", "llvm.prefetch",      "llvm.invariant.",
        "llvm.trap",       "llvm.debugtrap",   "llvm.donothing",     "llvm.stacksave",
        "llvm.stackrest",  "llvm.frameaddr",   "llvm.returnaddress", "llvm.sponentry",
        "llvm.is.fpclass", "llvm.eh.typeid",   "llvm.noalias",       "llvm.experimental.noalias",
        "llvm.var.annot",  "llvm.ubsantrap",   "llvm.eh.sjlj",       NULL
    };
    struct hd_points_to *p = call->p;
    if (starts_with_any(name, nothing))
        return true;
    if (starts_with_any(name, same)) {
        hd_solver_copy(p->solver, arg(call, 0), call->c.result);
    } else if (hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove")) {
        copy_words(call);
    } else if (hd_str_starts(name, "llvm.va_start")) {
        uint32_t object = p->variadic[hd_code_function_of(p->code, call->c.point)];
        hd_solver_store(
            p->solver, arg(call, 0),
            hd_points_to_location_node(p, hd_objects_location(&p->objects, object, HD_ANYWHERE)),
            0);
    } else if (hd_str_starts(name, "llvm.va_copy")) {
        copy_contents(p, arg(call, 0), arg(call, 1));
    } else {
        /* Arithmetic; anything that takes an address may do what unknown code does. */
        for (uint32_t i = 0; i < LLVMGetNumArgOperands(call->inst); i++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call->inst, i))) == LLVMPointerTypeKind)
                return false;
        for (uint32_t i = 0; i < call->c.n_args; i++)
            hd_solver_smear(p->solver, arg(call, i), call->c.result);
    }
    return true;
}

/* ---- libc.def ---- */

/* What such a function writes may be pointers, made of what it has read or kept. */
static void by_libc(const struct call *call, const struct hd_libc *row)
{
    struct hd_points_to *p = call->p;
    struct hd_solver *s = p->solver;
    bool derived = false, writes = row->class == HD_LIBC_STATE || row->class == HD_LIBC_WORLD;
    for (uint32_t i = 0; i < call->c.n_args; i++) {
        bool points_in;
        if (hd_libc_keeps(row, i, &points_in))
            hd_solver_copy(s, arg(call, i), HD_ESCAPE);
        if (points_in)
            hd_solver_smear(s, arg(call, i), call->c.result);
        derived |= points_in;
    }
    const char *text = row->class == HD_LIBC_EXPAND ? "" : row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);)
        if (e.kind == HD_EFFECT_WRITE) {
            hd_solver_store(s, arg(call, e.arg),
                            hd_points_to_location_node(p, HD_UNKNOWN_LOCATION), 0);
            writes = true;
        }
    text = row->class == HD_LIBC_EXPAND ? "" : row->effects;
    for (struct hd_effect e; writes && hd_libc_effect(&text, &e);)
        if (e.kind == HD_EFFECT_READ || e.kind == HD_EFFECT_WRITE) {
            uint32_t held = hd_solver_node(s);
            hd_solver_load(s, arg(call, e.arg), held, 0);
            hd_solver_copy(s, held, HD_ESCAPE);
        }
    if (!derived && LLVMGetTypeKind(LLVMTypeOf(call->inst)) == LLVMPointerTypeKind)
        hd_solver_add(s, call->c.result, HD_UNKNOWN_LOCATION);
}

void hd_points_to_external(struct hd_points_to *p, uint32_t caller, LLVMValueRef function)
{
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    struct call call = { .p = p, .caller = caller, .c = p->callers[caller] };
    call.inst = p->code->insts[call.c.point];
    uint32_t id = hd_code_function(p->code, function);
    const char *effects = p->effects[id];
    const struct hd_libc *row = p->libc[id];
    bool calls = call.c.kind == HD_EDGE_CALL; /* otherwise: as a callback, or as a thread */
    if (hd_str_starts(name, "llvm.")) {
        if (!by_intrinsic(&call, name))
            hd_points_to_call_unknown(p, caller);
    } else if (hd_str_starts(name, "_ZNSt6thread15_M_start_thread")) {
        start_state(&call);
    } else if (effects && calls) {
        by_row(&call, effects);
    } else if (row && row->class != HD_LIBC_MODEL && calls) {
        by_libc(&call, row);
    } else {
        hd_points_to_call_unknown(p, caller);
    }
}
