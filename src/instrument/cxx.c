#include "instrument/cxx.h"

#include "analyse/libc.h"
#include "base/ptrmap.h"
#include "base/str.h"
#include "compile/emit.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 100 }; /* instructions of a function that is put into its callers */

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool starts_with_one(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (hd_str_starts(name, list[i]))
            return true;
    return false;
}

bool hd_cxx_is_library(LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (file == NULL)
        return false;
    unsigned n;
    const char *path = LLVMDIFileGetFilename(file, &n);
    return n > 11 && (strncmp(path, "/usr/", 5) == 0 || strncmp(path, "heddle/c++/", 11) == 0);
}

static bool keeps_order(const char *name)
{
    static const char *const list[] = {
        "_ZN9__gnu_cxxL18__exchange_and_add",
        "_ZN9__gnu_cxxL12__atomic_add",
        "_ZNSt16_Sp_counted_base",
        "_ZNSt23__atomic_futex_unsigned",
        "_ZNSt7promise", /* its destructor: is there a future left to be notified? */
        "_ZNSt13packaged_task",
    };
    /* A weak pointer was locked successfully, so the counter is not 0. */
    bool locks = hd_str_starts(name, "_ZNSt12__shared_ptr") && strstr(name, "ERKSt10__weak_ptr");
    return locks || starts_with_one(name, list, sizeof list / sizeof *list);
}

/* Is the instruction in such a function, or was it before that was put into its caller? */
static bool stems_from(LLVMValueRef inst, bool (*such)(const char *name))
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    if (such(name_of(function)))
        return true;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst);
    for (; at; at = LLVMDILocationGetInlinedAt(at)) {
        size_t n;
        const char *name = hd_names_linked(context, LLVMDILocationGetScope(at), &n);
        char *copy = hd_str_format("%.*s", name ? (int)n : 0, name ? name : "");
        bool found = such(copy);
        free(copy);
        if (found)
            return true;
    }
    return false;
}

bool hd_cxx_order_suffices(LLVMValueRef inst)
{
    if (LLVMIsALoadInst(inst) && hd_str_starts(name_of(LLVMGetOperand(inst, 0)), "_ZGV"))
        return true;
    return stems_from(inst, keeps_order);
}

/* Of objects of one type, or of several. */
static bool is_lock(const char *name)
{
    return hd_str_starts(name, "_ZSt4lockI") ||
           hd_str_starts(name, "_ZNSt8__detail11__lock_impl");
}

bool hd_cxx_backs_off(LLVMValueRef call) { return stems_from(call, is_lock); }

static bool is_template(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage;
}

/* A template, or a copy of what the library has. */
static bool is_shared_code(LLVMValueRef function)
{
    return is_template(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static bool is_stream(const char *name)
{
    static const char *const list[] = { "_ZNSo", "_ZNSi", "_ZNSt9basic_iosI", "_ZNKSt9basic_iosI",
                                        "_ZSt16__ostream_insert" };
    return starts_with_one(name, list, sizeof list / sizeof *list) && hd_libc_find(name);
}

/* Templates are compiled into the program, those of the standard streams too.  But what these
 * do to a stream is the library's business, no access of the program. */
static void give_back(LLVMValueRef function)
{
    size_t n;
    char *name = hd_strdup(LLVMGetValueName2(function, &n));
    LLVMValueRef declaration = LLVMAddFunction(LLVMGetGlobalParent(function), "",
                                               LLVMGlobalGetValueType(function));
    LLVMReplaceAllUsesWith(function, declaration);
    LLVMDeleteFunction(function);
    LLVMSetValueName2(declaration, name, n);
    free(name);
}

static unsigned count_instructions(LLVMValueRef function)
{
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n++;
    return n;
}

/* Atomic operations are large only because their memory order is an argument. */
static bool is_atomic(const char *name)
{
    static const char *const list[] = {
        "_ZNSt13__atomic_base", "_ZNKSt13__atomic_base", "_ZNSt6atomic",
        "_ZNKSt6atomic",        "_ZNSt11atomic_flag",    "_ZNVSt6atomic",
        "_ZNVKSt6atomic",       "_ZNSt12__atomic_float", "_ZNSt13__atomic_impl",
    };
    return starts_with_one(name, list, sizeof list / sizeof *list);
}

static bool goes_into_callers(LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (subprogram == NULL || !hd_str_starts(name_of(function), "_Z") ||
        !hd_cxx_is_library(subprogram))
        return false;
    return is_atomic(name_of(function)) || count_instructions(function) <= SMALL;
}

static void set_attribute(LLVMValueRef function, const char *name, bool on)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (on)
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)-1,
                                LLVMCreateEnumAttribute(context, kind, 0));
    else
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)-1, kind);
}

/* Virtual tables that the library also has are not the program's, which does not call their
 * functions. */
static void drop_copies(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage)
            continue;
        LLVMSetInitializer(g, NULL);
        LLVMSetLinkage(g, LLVMExternalLinkage);
    }
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* The library counts the threads in atomic waits, and a notification of nobody calls no futex.
 * C11 does not order its look at the counter after the program's store; that is the library's
 * own matter.  Here every notification calls, and nobody is counted. */
static bool counts_waiters(LLVMValueRef function)
{
    const char *name = name_of(function);
    return strstr(name, "St8__detail") &&
           (ends_with(name, "10_M_waitingEv") || ends_with(name, "13_M_enter_waitEv") ||
            ends_with(name, "13_M_leave_waitEv"));
}

/* The function does nothing, and returns `true` if it returns anything. */
static void empty(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(LLVMGetTypeContext(type), first, "");
    LLVMPositionBuilderAtEnd(builder, block);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, LLVMConstInt(type, 1, false));
    LLVMDisposeBuilder(builder);
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)-1, kind) != NULL;
}

/* Hooks make functions several times larger: what is still called then stays a call. */
static int inline_marked(LLVMModuleRef module, const struct hd_ptrmap *marked, struct hd_err *err)
{
    int failed = hd_emit_passes(module, "always-inline,function(mem2reg,sccp)", err);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (hd_ptrmap_get(marked, f))
            set_attribute(f, "alwaysinline", false);
    return failed;
}

/* std::shared_ptr reads both of its counts by one load, and if it is the last owner it does not
 * count down.  The graph search does not know accesses of different sizes to the same memory.
 * What is done without that shortcut is the same, so the load finds that there are others. */
static void take_no_shortcut(LLVMValueRef function)
{
    const char *name = name_of(function);
    if (!strstr(name, "_Sp_counted_base") || !strstr(name, "10_M_releaseEv"))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMTypeRef type = LLVMTypeOf(i);
            if (!LLVMIsALoadInst(i) || LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic ||
                LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64)
                continue;
            LLVMReplaceAllUsesWith(i, LLVMConstNull(type));
            LLVMInstructionEraseFromParent(i);
        }
}

int hd_cxx_prepare(LLVMModuleRef module, struct hd_err *err)
{
    struct hd_ptrmap marked;
    bool any = false;
    hd_ptrmap_init(&marked);
    drop_copies(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f))
            continue;
        if (is_shared_code(f) && is_stream(name_of(f))) {
            give_back(f);
            continue;
        }
        if (counts_waiters(f))
            empty(f);
        if (is_shared_code(f))
            take_no_shortcut(f);
        /* Shared objects keep to their own copies, which run before heddle is ready. */
        if (is_template(f))
            LLVMSetVisibility(f, LLVMHiddenVisibility);
        if (goes_into_callers(f)) {
            if (!has_attribute(f, "alwaysinline"))
                *hd_ptrmap_put(&marked, f) = 1;
            set_attribute(f, "noinline", false);
            set_attribute(f, "alwaysinline", true);
            any = true;
        }
    }
    int failed = any ? inline_marked(module, &marked, err) : 0;
    hd_ptrmap_release(&marked);
    return failed;
}
