#include "compile/bitcode.h"

#include "compile/diagnostics.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

bool hd_bitcode_is(const char *bytes, size_t n)
{
    return n >= 4 &&
           (memcmp(bytes, "BC\xc0\xde", 4) == 0 || memcmp(bytes, "\xde\xc0\x17\x0b", 4) == 0);
}

int hd_bitcode_read(LLVMContextRef context, const char *name, const char *bytes, size_t n,
                    LLVMModuleRef *module, struct hd_err *err)
{
    struct hd_err said = { "" };
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, n, name);
    hd_diagnostics_keep(context, &said);
    LLVMBool failed = LLVMGetBitcodeModuleInContext2(context, buffer, module);
    hd_diagnostics_end(context);
    if (failed) {
        LLVMDisposeMemoryBuffer(buffer);
        return hd_err_set(err, "%s: bitcode cannot be read: %s; compile it again with heddle cc",
                          name, said.text);
    }
    return 0;
}

static void add(struct hd_symbols *symbols, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (length == 0 || hd_str_starts(name, "llvm."))
        return;
    switch (LLVMGetLinkage(value)) {
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMAppendingLinkage:
    case LLVMExternalWeakLinkage:
        return;
    case LLVMExternalLinkage:
        hd_strs_add(LLVMIsDeclaration(value) ? &symbols->wanted : &symbols->strong, name);
        return;
    case LLVMAvailableExternallyLinkage:
        hd_strs_add(&symbols->wanted, name);
        return;
    default:
        hd_strs_add(&symbols->weak, name);
    }
}

void hd_bitcode_symbols(LLVMModuleRef module, struct hd_symbols *symbols)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        add(symbols, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        add(symbols, g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        add(symbols, a);
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        add(symbols, i);
}

int hd_bitcode_link(LLVMModuleRef program, LLVMModuleRef module, const char *name,
                    struct hd_err *err)
{
    struct hd_err said = { "" };
    LLVMContextRef context = LLVMGetModuleContext(program);
    hd_diagnostics_keep(context, &said);
    LLVMBool failed = LLVMLinkModules2(program, module);
    hd_diagnostics_end(context);
    if (failed)
        return hd_err_set(err, "%s cannot be linked: %s", name,
                          said.text[0] ? said.text : "LLVM gives no reason");
    return 0;
}

/* llvm.used is an array constant, which can't grow: it is replaced by one with one more
 * element. */
static void keep(LLVMModuleRef module, LLVMValueRef global)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
    LLVMValueRef old = LLVMGetNamedGlobal(module, "llvm.used");
    LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
    unsigned n = list ? (unsigned)LLVMGetNumOperands(list) : 0;
    LLVMValueRef *all = hd_alloc((n + 1) * sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = LLVMGetOperand(list, i);
    all[n] = global;
    if (old)
        LLVMDeleteGlobal(old);
    LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType(pointer, n + 1), "llvm.used");
    LLVMSetInitializer(used, LLVMConstArray(pointer, all, n + 1));
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
    free(all);
}

void hd_bitcode_embed(LLVMModuleRef module, const char *section, const void *bytes, size_t n,
                      unsigned alignment)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef data = LLVMConstStringInContext(context, bytes, (unsigned)n, 1);
    LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(data), "");
    char *name = hd_str_format("__heddle_embedded_%s", section);
    LLVMSetValueName2(global, name, strlen(name));
    free(name);
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, alignment);
    LLVMSetSection(global, section);
    keep(module, global);
}
