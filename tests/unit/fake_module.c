#include "fake_module.h"

#include "base/str.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                   \
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"      \
    "n8:16:32:64-S128\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"

static _Noreturn void broken(const char *what, const char *text)
{
    fprintf(stderr, "test module: %s: %s\n", what, text);
    abort();
}

void fake_module_init(struct fake_module *m, const char *text)
{
    char *whole = hd_str_format("%s%s", HEADER, text), *message = NULL;
    m->context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(whole, strlen(whole),
                                                                           "test");
    if (LLVMParseIRInContext(m->context, buffer, &m->module, &message))
        broken("does not parse", message);
    free(whole);
    hd_code_init(&m->code, m->module);
}

void fake_module_release(struct fake_module *m)
{
    hd_code_release(&m->code);
    LLVMDisposeModule(m->module);
    LLVMContextDispose(m->context);
}

LLVMValueRef fake_module_inst(struct fake_module *m, const char *function, const char *name)
{
    for (uint32_t i = 0; i < m->code.n_insts; i++) {
        size_t n;
        if (strcmp(m->code.functions[hd_code_function_of(&m->code, i)].name, function) == 0 &&
            strcmp(LLVMGetValueName2(m->code.insts[i], &n), name) == 0)
            return m->code.insts[i];
    }
    broken("no such instruction", name);
}

LLVMValueRef fake_module_call(struct fake_module *m, const char *function, const char *callee)
{
    for (uint32_t i = 0; i < m->code.n_insts; i++)
        if (strcmp(m->code.functions[hd_code_function_of(&m->code, i)].name, function) == 0 &&
            hd_code_is_call(m->code.insts[i]) &&
            strcmp(hd_code_callee_name(m->code.insts[i]), callee) == 0)
            return m->code.insts[i];
    broken("no call of", callee);
}
