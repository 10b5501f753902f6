/* Modules given as text, for tests of what looks at LLVM's representation. */
#ifndef HD_TEST_FAKE_MODULE_H
#define HD_TEST_FAKE_MODULE_H

#include "analyse/code.h"

struct fake_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    struct hd_code code;
};

/* The text is LLVM IR without the lines about the target. */
void fake_module_init(struct fake_module *m, const char *text);
void fake_module_release(struct fake_module *m);

/* The instruction of that name in the function, or the n'th call of a function. */
LLVMValueRef fake_module_inst(struct fake_module *m, const char *function, const char *name);
LLVMValueRef fake_module_call(struct fake_module *m, const char *function, const char *callee);

#endif
