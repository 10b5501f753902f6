#include "analyse/fits.h"

#include "analyse/access.h"
#include "analyse/format.h"
#include "analyse/libc.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Types of the arguments that are passed, or of the parameters that are declared. */
struct shape {
    LLVMTypeRef result, *args;
    unsigned n, fixed; /* arguments; those that have a parameter */
    bool more;         /* takes more than the parameters */
    LLVMValueRef call; /* NULL: a declaration */
};

static unsigned bits(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static bool has_pointer(const struct shape *s, unsigned i)
{
    return i < s->n && is_pointer(s->args[i]);
}

static bool has_number(const struct shape *s, unsigned i)
{
    return i < s->n && bits(s->args[i]) && bits(s->args[i]) <= 64;
}

/* ---- signatures ---- */

/* Result, colon, arguments.  p: a pointer, l: 64 bits, w: 32 bits, n: an integer, f d x:
 * floating point of 4, 8, 10 bytes, v: nothing, ?: anything.  At the end, +: there may be
 * more. */
static const struct {
    const char *name, *signature;
} recipes[] = {
    { "memcpy", "p:ppl" },
    { "mempcpy", "p:ppl" },
    { "bcopy", "v:ppl" },
    { "memset", "p:pwl" },
    { "bzero", "v:pl" },
    { "strcpy", "p:pp" },
    { "stpcpy", "p:pp" },
    { "strncpy", "p:ppl" },
    { "stpncpy", "p:ppl" },
    { "strcat", "p:pp" },
    { "strncat", "p:ppl" },
    { "swap", "v:pp" },
    { "strtol", "?:pp+" },
    { "strtok_r", "p:ppp" },
    { "snprintf", "w:plp+" },
    { "sprintf", "w:pp+" },
    { "qsort", "v:pllp+" },
    { "sincos", "v:dpp" },
    { "sincosf", "v:fpp" },
    { "sincosl", "v:xpp" },
    { "atomic_load", "v:lppw" },
    { "atomic_store", "v:lppw" },
    { "atomic_exchange", "v:lpppw" },
    { "atomic_compare_exchange", "n:lpppww" },
    { "atomic_load_n", "n:pw" },
    { "atomic_store_n", "v:pnw" },
    { "atomic_exchange_n", "n:pnw" },
    { "atomic_compare_exchange_n", "n:ppnww" },
};

static bool is_of(LLVMTypeRef type, char letter)
{
    switch (letter) {
    case 'p':
        return is_pointer(type);
    case 'l':
        return bits(type) == 64;
    case 'w':
        return bits(type) == 32;
    case 'n':
        return bits(type) != 0;
    case 'f':
        return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
    case 'd':
        return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
    case 'x':
        return LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind;
    case 'v':
        return is_void(type);
    default:
        return true;
    }
}

/* A result may also be thrown away by the declaration. */
static bool fits_signature(const struct shape *s, const char *signature)
{
    if (!is_void(s->result) && !is_of(s->result, signature[0]))
        return false;
    unsigned i = 0;
    for (const char *letter = signature + 2; *letter; letter++, i++)
        if (*letter == '+')
            return true;
        else if (i >= s->n || !is_of(s->args[i], *letter))
            return false;
    return i == s->n;
}

static bool fits_recipe(const struct shape *s, const char *recipe)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipe, recipes[i].name) == 0)
            return fits_signature(s, recipes[i].signature);
    return !hd_str_starts(recipe, "atomic_fetch_") || fits_signature(s, "n:pnw");
}

/* ---- libc.def ---- */

/* What a format prints begins behind the last parameter; a width or precision is an int. */
static bool fits_format(const struct shape *s, unsigned format)
{
    enum { MOST = 64 };
    struct hd_format_string strings[MOST];
    if (!has_pointer(s, format) || !s->more || s->fixed != format + 1)
        return false;
    const char *text = s->call ? hd_format_literal(LLVMGetOperand(s->call, format)) : NULL;
    int n = text ? hd_format_parse(text, strings, MOST) : 0;
    for (int i = 0; i < n; i++)
        if (strings[i].limit_arg >= 0 &&
            !has_number(s, s->fixed + (unsigned)strings[i].limit_arg))
            return false;
    return true;
}

static bool fits_result(const struct shape *s, const struct hd_effect *e)
{
    if (e->done == HD_DONE_RESULT)
        return bits(s->result) && bits(s->result) <= 64;
    return e->done == HD_DONE_ALL || bits(s->result) || is_pointer(s->result);
}

static bool fits_effect(const struct shape *s, const struct hd_effect *e)
{
    if (e->kind == HD_EFFECT_ERRNO || e->kind == HD_EFFECT_HIDDEN)
        return true;
    if (e->kind == HD_EFFECT_FORMAT)
        return fits_format(s, e->arg);
    if (e->kind == HD_EFFECT_RESULT && !is_pointer(s->result))
        return false;
    if (e->grows >= 0 && !has_number(s, (unsigned)e->grows))
        return false;
    for (int i = 0; i < 2; i++)
        if (e->factor[i] >= 0 && !has_number(s, (unsigned)e->factor[i]))
            return false;
    return has_pointer(s, e->arg) && fits_result(s, e) &&
           (e->times < 0 || has_number(s, (unsigned)e->times));
}

static bool fits_libc(const struct shape *s, const char *name)
{
    const struct hd_libc *row = hd_libc_find(name);
    if (row == NULL || row->class == HD_LIBC_PURE)
        return true;
    if (row->class == HD_LIBC_EXPAND)
        return fits_recipe(s, row->effects) &&
               (hd_libc_format(row) < 0 || fits_format(s, (unsigned)hd_libc_format(row)));
    const char *text = row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);)
        if (!fits_effect(s, &e))
            return false;
    return true;
}

/* ---- pointers.def, sync.def and what is known by name ---- */

/* Every argument that the row names is there, and a pointer comes back where it says so. */
static bool fits_pointers(const struct shape *s, const char *name)
{
    const char *text = hd_points_to_row(name);
    while (text && *text) {
        size_t n = strcspn(text, " ");
        bool returns = text[0] == '^' || text[0] == '=' || (text[0] == 'n' && text[1] == 'e') ||
                       (text[0] == 'g' && n == 1);
        if (returns && !is_pointer(s->result))
            return false;
        for (const char *at = text; at < text + n;) {
            char *end = (char *)(uintptr_t)(at + 1);
            if (*at >= '0' && *at <= '9') {
                unsigned long i = strtoul(at, &end, 10);
                if (i >= s->n || (text[0] == 'z' && !has_number(s, (unsigned)i)))
                    return false;
            }
            at = end;
        }
        text += n + strspn(text + n, " ");
    }
    return true;
}

static bool fits_sync(const struct shape *s, const char *name)
{
    struct hd_sync sync = hd_sync_find(name);
    if (sync.object >= 0 && !has_pointer(s, (unsigned)sync.object))
        return false;
    if (sync.second >= 0 && !has_pointer(s, (unsigned)sync.second))
        return false;
    switch (sync.kind) {
    case HD_SYNC_LOCK:
    case HD_SYNC_LOCK_SHARED:
    case HD_SYNC_TRY:
    case HD_SYNC_TRY_SHARED:
    case HD_SYNC_UNLOCK:
    case HD_SYNC_WAIT:
    case HD_SYNC_WAKE:
        return bits(s->result) == 32;
    case HD_SYNC_BLOCK:
        return bits(s->result) == 32 || is_void(s->result); /* call_once */
    default:
        return true;
    }
}

static bool fits_name(const struct shape *s, const char *name)
{
    static const struct {
        const char *name, *signature;
    } list[] = {
        { "sleep", "w:w" },
        { "usleep", "w:w" },
        { "syscall", "l:l+" },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i].name) == 0)
            return fits_signature(s, list[i].signature);
    return true;
}

/* ---- calls and functions ---- */

static bool fits(const struct shape *s, const char *name)
{
    return fits_libc(s, name) && fits_pointers(s, name) && fits_sync(s, name) &&
           fits_name(s, name);
}

static const char *name_of(LLVMValueRef function)
{
    size_t n;
    return LLVMGetValueName2(function, &n);
}

static bool fits_call(LLVMValueRef call)
{
    LLVMValueRef callee = hd_code_callee(call);
    if (callee == NULL || hd_str_starts(name_of(callee), "llvm."))
        return true;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    struct shape s = { .result = LLVMGetReturnType(type),
                       .n = LLVMGetNumArgOperands(call),
                       .fixed = LLVMCountParamTypes(type),
                       .more = LLVMIsFunctionVarArg(type),
                       .call = call };
    s.args = hd_alloc((s.n + 1) * sizeof(LLVMTypeRef));
    for (unsigned i = 0; i < s.n; i++)
        s.args[i] = LLVMTypeOf(LLVMGetOperand(call, i));
    bool does = fits(&s, name_of(callee));
    free(s.args);
    return does;
}

static bool fits_function(LLVMValueRef function)
{
    const char *name = name_of(function);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    if (hd_str_starts(name, "llvm."))
        return true;
    struct shape s = { .result = LLVMGetReturnType(type),
                       .n = LLVMCountParamTypes(type),
                       .fixed = LLVMCountParamTypes(type),
                       .more = LLVMIsFunctionVarArg(type) };
    s.args = hd_alloc((s.n + 1) * sizeof(LLVMTypeRef));
    LLVMGetParamTypes(type, s.args);
    bool does = fits(&s, name);
    free(s.args);
    return does;
}

const char *hd_fits_name(const char *name) { return name + (name[0] == '\1'); }

/* The same symbol under the name that no table has.  The declaration itself stays: that a
 * program has it still counts where only this is asked. */
static LLVMValueRef twin(LLVMModuleRef module, LLVMValueRef function)
{
    char *name = hd_str_format("\1%s", name_of(function));
    LLVMValueRef other = LLVMGetNamedFunction(module, name);
    if (other == NULL) {
        other = LLVMAddFunction(module, name, LLVMGlobalGetValueType(function));
        LLVMSetLinkage(other, LLVMGetLinkage(function));
        LLVMSetFunctionCallConv(other, LLVMGetFunctionCallConv(function));
    }
    free(name);
    return other;
}

/* The direct calls, apart from the list of uses: that changes with them. */
static LLVMValueRef *direct_calls(LLVMValueRef function, size_t *n)
{
    LLVMValueRef *calls = NULL;
    *n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!hd_code_is_call(user) || LLVMGetCalledValue(user) != function)
            continue;
        if (*n % 64 == 0)
            calls = hd_realloc(calls, (*n + 64) * sizeof(LLVMValueRef));
        calls[(*n)++] = user;
    }
    return calls;
}

static void call_instead(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

/* Calls that fit go on calling the library's function, whatever its declaration says. */
static void settle_uses(LLVMModuleRef module, LLVMValueRef function)
{
    size_t n;
    LLVMValueRef *calls = direct_calls(function, &n);
    bool *fit = hd_alloc((n + 1) * sizeof *fit);
    for (size_t i = 0; i < n; i++)
        fit[i] = fits_call(calls[i]);
    bool is_declared_so = fits_function(function);
    if (!is_declared_so)
        LLVMReplaceAllUsesWith(function, twin(module, function));
    for (size_t i = 0; i < n; i++)
        if (fit[i] != is_declared_so)
            call_instead(calls[i], fit[i] ? function : twin(module, function));
    free(calls);
    free(fit);
}

void hd_fits_settle(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f))
            settle_uses(module, f);
    }
}
