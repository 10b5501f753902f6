#include "analyse/code.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Debug information about variables may or may not be calls after bitcode has been read. */
static bool is_note(LLVMValueRef inst)
{
    size_t n;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &n), "llvm.dbg.", 9) == 0;
}

static void count(struct hd_code *code)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f; f = LLVMGetNextFunction(f)) {
        code->n_functions++;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            code->n_blocks++;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                code->n_insts += !is_note(i);
        }
    }
}

static void number_block(struct hd_code *code, LLVMBasicBlockRef block, uint32_t function,
                         uint32_t id, uint32_t *point)
{
    struct hd_code_block *b = &code->blocks[id];
    *b = (struct hd_code_block){ .value = block, .function = function, .first = *point };
    *hd_ptrmap_put(&code->ids, block) = id;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_note(i))
            continue;
        *hd_ptrmap_put(&code->ids, i) = *point;
        code->insts[*point] = i;
        code->block_of[(*point)++] = id;
    }
    b->end = *point;
}

void hd_code_init(struct hd_code *code, LLVMModuleRef module)
{
    *code = (struct hd_code){ .module = module, .layout = LLVMGetModuleDataLayout(module) };
    hd_ptrmap_init(&code->ids);
    count(code);
    code->functions = hd_alloc((code->n_functions + 1) * sizeof *code->functions);
    code->blocks = hd_alloc((code->n_blocks + 1) * sizeof *code->blocks);
    code->insts = hd_alloc((code->n_insts + 1) * sizeof(LLVMValueRef));
    code->block_of = hd_alloc((code->n_insts + 1) * sizeof *code->block_of);
    uint32_t function = 0, block = 0, point = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        struct hd_code_function *item = &code->functions[function];
        *item = (struct hd_code_function){ .value = f, .first_block = block, .first = point };
        item->name = LLVMGetValueName2(f, &n);
        *hd_ptrmap_put(&code->ids, f) = function;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            number_block(code, b, function, block++, &point);
        item->end_block = block;
        item->end = point;
        function++;
    }
}

void hd_code_release(struct hd_code *code)
{
    free(code->functions);
    free(code->blocks);
    free(code->insts);
    free(code->block_of);
    hd_ptrmap_release(&code->ids);
}

static uint32_t id_of(const struct hd_code *code, const void *value)
{
    const uint64_t *id = hd_ptrmap_get(&code->ids, value);
    if (id == NULL)
        hd_bug("analyse: a value that is not of the numbered module");
    return (uint32_t)*id;
}

uint32_t hd_code_function(const struct hd_code *code, LLVMValueRef f) { return id_of(code, f); }
uint32_t hd_code_block(const struct hd_code *code, LLVMBasicBlockRef b) { return id_of(code, b); }
uint32_t hd_code_point(const struct hd_code *code, LLVMValueRef inst)
{
    return id_of(code, inst);
}

bool hd_code_is_listed(const struct hd_code *code, const char *list, uint32_t function)
{
    LLVMValueRef global = LLVMGetNamedGlobal(code->module, list);
    LLVMValueRef items = global && !LLVMIsDeclaration(global) ? LLVMGetInitializer(global) : NULL;
    for (unsigned i = 0; items && i < (unsigned)LLVMGetNumOperands(items); i++)
        if (LLVMGetOperand(LLVMGetOperand(items, i), 1) == code->functions[function].value)
            return true;
    return false;
}

bool hd_code_is_call(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) || LLVMIsACallBrInst(inst);
}

LLVMValueRef hd_code_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (;;) {
        if (LLVMIsAFunction(callee))
            return callee;
        if (LLVMIsAGlobalAlias(callee))
            callee = LLVMAliasGetAliasee(callee);
        else if (LLVMIsAConstantExpr(callee) && (LLVMGetConstOpcode(callee) == LLVMBitCast ||
                                                 LLVMGetConstOpcode(callee) == LLVMAddrSpaceCast))
            callee = LLVMGetOperand(callee, 0);
        else
            return NULL;
    }
}

const char *hd_code_callee_name(LLVMValueRef call)
{
    size_t n;
    LLVMValueRef callee = hd_code_callee(call);
    return callee ? LLVMGetValueName2(callee, &n) : "";
}

struct hd_code_place hd_code_place(LLVMValueRef inst)
{
    struct hd_code_place place = { .file = "", .directory = "" };
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
    if (location == NULL)
        return place;
    place.line = LLVMDILocationGetLine(location);
    place.column = LLVMDILocationGetColumn(location);
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (file) {
        place.file = LLVMDIFileGetFilename(file, &place.file_n);
        place.directory = LLVMDIFileGetDirectory(file, &place.directory_n);
    }
    return place;
}

bool hd_code_is_failure(LLVMValueRef inst)
{
    static const char *const names[] = { "__assert_fail",
                                         "__assert_perror_fail",
                                         "heddle_assert_fail",
                                         "heddle_target",
                                         "reach_error",
                                         "__VERIFIER_error",
                                         "abort",
                                         "__assert" };
    const char *name = hd_code_is_call(inst) ? hd_code_callee_name(inst) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
