/* LLVM's globaldce removes what is not reached and has a linkage that nobody else can name.
 * During that pass everything but the roots has internal linkage. */
#include "compile/unused.h"

#include "base/ptrmap.h"
#include "compile/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct dropper {
    const struct hd_strmap *keep;
    struct hd_strmap in_assembly; /* words of inline assembly, which may be names */
    struct hd_ptrmap linkages;    /* definition -> linkage, visibility */
    struct hd_strs wanted;        /* declarations */
    struct hd_strs functions;     /* definitions that are no roots */
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static void add_words(struct dropper *d, const char *text, size_t n)
{
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && is_of_name(text[end]);)
            end++;
        if (end == i)
            continue;
        char *word = hd_str_format("%.*s", (int)(end - i), text + i);
        *hd_strmap_put(&d->in_assembly, word) = 1;
        free(word);
    }
}

static void add_assembly(struct dropper *d, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) ||
                                  LLVMIsACallBrInst(inst)
                              ? LLVMGetCalledValue(inst)
                              : NULL;
    if (callee == NULL || !LLVMIsAInlineAsm(callee))
        return;
    char *text = LLVMPrintValueToString(callee);
    add_words(d, text, strlen(text));
    LLVMDisposeMessage(text);
}

static void read_assembly(struct dropper *d, LLVMModuleRef program)
{
    size_t n;
    const char *text = LLVMGetModuleInlineAsm(program, &n);
    add_words(d, text, n);
    for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                add_assembly(d, i);
}

/* Invariants are named when a check begins: int FN(void). */
static bool may_be_invariant(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMIsAFunction(value) ? LLVMGlobalGetValueType(value) : NULL;
    return type && LLVMCountParamTypes(type) == 0 &&
           LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMIntegerTypeKind;
}

static bool is_root(const struct dropper *d, LLVMValueRef value)
{
    const char *name = name_of(value);
    return strcmp(name, "main") == 0 || hd_str_starts(name, "llvm.") ||
           hd_str_starts(name, "__heddle") || d->keep == NULL || hd_strmap_get(d->keep, name) ||
           hd_strmap_get(&d->in_assembly, name) || may_be_invariant(value);
}

/* The linker collects the variables of a section, and the program reads them by its bounds. */
static bool has_section(LLVMValueRef value)
{
    const char *section = LLVMIsAGlobalAlias(value) ? NULL : LLVMGetSection(value);
    return section && *section;
}

static void hide(struct dropper *d, LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    if (LLVMIsDeclaration(value)) {
        if (linkage == LLVMExternalLinkage && !hd_str_starts(name_of(value), "llvm."))
            hd_strs_add(&d->wanted, name_of(value));
        return;
    }
    if (linkage == LLVMAvailableExternallyLinkage || linkage == LLVMAppendingLinkage ||
        has_section(value) || is_root(d, value))
        return;
    *hd_ptrmap_put(&d->linkages, value) = (uint64_t)linkage << 8 | LLVMGetVisibility(value);
    LLVMSetLinkage(value, LLVMInternalLinkage);
    if (LLVMIsAFunction(value) && linkage == LLVMExternalLinkage)
        hd_strs_add(&d->functions, name_of(value));
}

/* The pass makes no new definitions, so an address found here stands for the same one. */
static void show(struct dropper *d, LLVMValueRef value)
{
    const uint64_t *was = hd_ptrmap_get(&d->linkages, value);
    if (was == NULL)
        return;
    LLVMSetLinkage(value, (LLVMLinkage)(*was >> 8));
    LLVMSetVisibility(value, (LLVMVisibility)(*was & 255));
}

static void each(struct dropper *d, LLVMModuleRef program,
                 void (*visit)(struct dropper *d, LLVMValueRef value))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
        visit(d, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(program); g; g = LLVMGetNextGlobal(g))
        visit(d, g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(program); a; a = LLVMGetNextGlobalAlias(a))
        visit(d, a);
}

static bool is_gone(LLVMModuleRef program, const char *name)
{
    return !LLVMGetNamedFunction(program, name) && !LLVMGetNamedGlobal(program, name);
}

static void tell(LLVMModuleRef program, const char *function)
{
    LLVMContextRef context = LLVMGetModuleContext(program);
    LLVMMetadataRef text = LLVMMDStringInContext2(context, function, strlen(function));
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
    LLVMAddNamedMetadataOperand(program, HD_UNUSED_FUNCTIONS, LLVMMetadataAsValue(context, node));
}

int hd_unused_drop(LLVMModuleRef program, const struct hd_strmap *keep, struct hd_strs *dropped,
                   struct hd_err *err)
{
    struct dropper d = { .keep = keep };
    hd_ptrmap_init(&d.linkages);
    hd_strmap_init(&d.in_assembly);
    hd_strs_init(&d.wanted);
    hd_strs_init(&d.functions);
    read_assembly(&d, program);
    each(&d, program, hide);
    int failed = hd_emit_passes(program, "globaldce", err);
    each(&d, program, show);
    for (size_t i = 0; i < d.wanted.n; i++)
        if (is_gone(program, d.wanted.items[i]))
            hd_strs_add(dropped, d.wanted.items[i]);
    for (size_t i = 0; i < d.functions.n; i++)
        if (is_gone(program, d.functions.items[i]))
            tell(program, d.functions.items[i]);
    hd_strs_release(&d.functions);
    hd_strs_release(&d.wanted);
    hd_strmap_release(&d.in_assembly);
    hd_ptrmap_release(&d.linkages);
    return failed;
}
