/* Zones that belong to nobody, around locals whose addresses go anywhere and behind the program's
 * variables.  What of a stack belongs to nobody changes as scopes begin and end: the code says so
 * to the runtime (runtime/zones.c). */
#include "instrument/bounds.h"

#include "core/abi.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = 16, MOST_LOCALS = 1024 };

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static uint64_t rounded(uint64_t bytes) { return (bytes + ZONE - 1) / ZONE * ZONE; }

/* ---- locals ---- */

static bool escapes(const struct hd_plan *plan, LLVMValueRef slot)
{
    const uint64_t *known = hd_ptrmap_get(&plan->escapes, slot);
    return known && *known == 2;
}

static void alive(struct hd_pass *p, LLVMValueRef slot, uint64_t bytes, uint64_t zone)
{
    LLVMValueRef args[] = { slot, hd_pass_u64(p, bytes), hd_pass_u64(p, zone) };
    hd_pass_hook(p, "__heddle_alive", p->nothing, args, 3);
}

static void gone(struct hd_pass *p, LLVMValueRef inst, LLVMValueRef slot, uint64_t bytes,
                 bool shared)
{
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, HD_NAMES_ANY);
    hd_pass_before(p, inst);
    LLVMValueRef args[] = { slot, hd_pass_u64(p, bytes), hd_pass_u32(p, shared),
                            hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_gone", p->nothing, args, 4);
}

static bool is_marker(LLVMValueRef inst, const char *which)
{
    return LLVMIsACallInst(inst) && hd_str_starts(hd_code_callee_name(inst), which);
}

/* The scope begins and ends where the compiler says so.  False: it does not. */
static bool follow_markers(struct hd_pass *p, LLVMValueRef slot, uint64_t bytes, uint64_t zone,
                           bool shared)
{
    LLVMValueRef markers[64];
    unsigned n = 0, starts = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_marker(user, "llvm.lifetime."))
            continue;
        if (n == sizeof markers / sizeof *markers)
            return false;
        starts += is_marker(user, "llvm.lifetime.start");
        markers[n++] = user;
    }
    for (unsigned i = 0; i < n; i++) {
        hd_pass_before(p, markers[i]);
        if (is_marker(markers[i], "llvm.lifetime.start"))
            alive(p, slot, bytes, zone);
        else if (starts)
            gone(p, markers[i], slot, bytes, shared);
        LLVMInstructionEraseFromParent(markers[i]);
    }
    return starts > 0;
}

/* A place for the local with a zone on either side, in the place of the old one. */
static LLVMValueRef with_zones(struct hd_pass *p, LLVMValueRef slot, uint64_t bytes,
                               uint64_t zone)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    unsigned alignment = LLVMGetAlignment(slot);
    uint64_t front = alignment > ZONE ? alignment : ZONE;
    LLVMTypeRef fields[] = { LLVMArrayType(p->i8, (unsigned)front),
                             LLVMArrayType(
                                 type, (unsigned)(bytes / LLVMABISizeOfType(p->layout, type))),
                             LLVMArrayType(p->i8, (unsigned)zone) };
    LLVMTypeRef wider = LLVMStructTypeInContext(p->context, fields, 3, 1);
    hd_pass_before(p, slot);
    LLVMValueRef room = LLVMBuildAlloca(p->builder, wider, "");
    LLVMSetAlignment(room, (unsigned)front);
    LLVMValueRef inside = LLVMBuildStructGEP2(p->builder, wider, room, 1, "");
    LLVMReplaceAllUsesWith(slot, inside);
    LLVMInstructionEraseFromParent(slot);
    return inside;
}

static LLVMValueRef first_statement(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i) || LLVMIsAGetElementPtrInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void at_returns(struct hd_pass *p, LLVMValueRef slot, uint64_t bytes, bool shared)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (last && LLVMIsAReturnInst(last))
            gone(p, last, slot, bytes, shared);
    }
}

/* `shared`: other threads may use it, so that its end is a step. */
static void local(struct hd_pass *p, LLVMValueRef slot, bool shared)
{
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(slot));
    if (!LLVMIsAConstantInt(count)) {
        LLVMValueRef next = LLVMGetNextInstruction(slot);
        hd_pass_before(p, next);
        LLVMValueRef n = LLVMBuildZExtOrBitCast(p->builder, count, p->i64, "");
        LLVMValueRef args[] = { slot, LLVMBuildMul(p->builder, n, hd_pass_u64(p, bytes), ""),
                                hd_pass_u64(p, 0) };
        hd_pass_hook(p, "__heddle_alive", p->nothing, args, 3);
        return;
    }
    bytes *= LLVMConstIntGetZExtValue(count);
    if (bytes == 0)
        return;
    uint64_t zone = rounded(bytes) - bytes + ZONE;
    slot = with_zones(p, slot, bytes, zone);
    if (follow_markers(p, slot, bytes, zone, shared))
        return;
    hd_pass_before(p, first_statement(p->function));
    alive(p, slot, bytes, zone);
    at_returns(p, slot, bytes, shared);
}

/* Structures that are passed by value lie on the stack too, over what was there before. */
static void by_value(struct hd_pass *p)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(p->function); i++) {
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(p->function, i + 1, kind);
        if (a == NULL)
            continue;
        hd_pass_before(p, first_statement(p->function));
        alive(p, LLVMGetParam(p->function, i),
              LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(a)), 0);
    }
}

void hd_zones_function(struct hd_pass *p, struct hd_plan *plan)
{
    LLVMValueRef slots[MOST_LOCALS];
    bool shared[MOST_LOCALS];
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsAAllocaInst(i) && escapes(plan, i) && n < MOST_LOCALS)
                slots[n++] = i;
            else if (is_marker(i, "llvm.va_start")) {
                LLVMValueRef list = LLVMGetOperand(i, 0);
                hd_pass_before(p, next);
                hd_pass_hook(p, "__heddle_alive_arguments", p->nothing, &list, 1);
            }
        }
    for (unsigned i = 0; i < n; i++)
        shared[i] = plan->sharing == NULL || hd_sharing_of(plan->sharing, slots[i]) == HD_SHARED;
    for (unsigned i = 0; i < n; i++)
        local(p, slots[i], shared[i]);
    by_value(p);
}

/* ---- variables of the program ---- */

static bool gets_zone(LLVMValueRef g)
{
    const char *section = LLVMGetSection(g), *name = name_of(g);
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return !LLVMIsDeclaration(g) && !LLVMIsThreadLocal(g) && !LLVMIsGlobalConstant(g) &&
           (section == NULL || section[0] == 0) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage) &&
           !hd_str_starts(name, "llvm.") && !hd_str_starts(name, "__heddle_") &&
           LLVMTypeIsSized(LLVMGlobalGetValueType(g));
}

static LLVMValueRef put_zone_behind(struct hd_pass *p, LLVMValueRef g)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    uint64_t bytes = LLVMABISizeOfType(p->layout, type);
    LLVMTypeRef zone = LLVMArrayType(p->i8, (unsigned)(rounded(bytes) - bytes + ZONE));
    LLVMValueRef fields[] = { LLVMGetInitializer(g), LLVMConstNull(zone) };
    LLVMValueRef value = LLVMConstStructInContext(p->context, fields, 2, 1);
    LLVMValueRef wider = LLVMAddGlobal(p->module, LLVMTypeOf(value), "");
    unsigned alignment = LLVMGetAlignment(g);
    unsigned preferred = LLVMPreferredAlignmentOfGlobal(p->layout, g);
    alignment = alignment > preferred ? alignment : preferred;
    size_t n;
    LLVMSetInitializer(wider, value);
    LLVMSetLinkage(wider, LLVMGetLinkage(g));
    LLVMSetVisibility(wider, LLVMGetVisibility(g));
    LLVMSetUnnamedAddress(wider, LLVMGetUnnamedAddress(g));
    LLVMSetAlignment(wider, alignment > ZONE ? alignment : ZONE);
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
    for (unsigned i = 0; i < n; i++)
        LLVMGlobalSetMetadata(wider, LLVMValueMetadataEntriesGetKind(all, i),
                              LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    char *name = hd_strdup(name_of(g));
    LLVMReplaceAllUsesWith(g, wider);
    LLVMDeleteGlobal(g);
    LLVMSetValueName2(wider, name, strlen(name));
    free(name);
    return wider;
}

/* struct { ptr begin; i64 bytes; i64 all; i64 name } __heddle_variables[], and how many. */
void hd_zones_globals(struct hd_pass *p)
{
    LLVMTypeRef fields[] = { p->pointer, p->i64, p->i64, p->i64 };
    LLVMTypeRef row = LLVMStructTypeInContext(p->context, fields, 4, 0);
    unsigned n = 0, room = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        room += gets_zone(g);
    LLVMValueRef *variables = hd_alloc((room + 1) * sizeof *variables);
    LLVMValueRef *rows = hd_alloc((room + 1) * sizeof *rows);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (gets_zone(g))
            variables[n++] = g;
    for (unsigned i = 0; i < n; i++) {
        uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(variables[i]));
        uint32_t name = hd_sites_string(&p->sites, name_of(variables[i]));
        LLVMValueRef values[] = { put_zone_behind(p, variables[i]), hd_pass_u64(p, bytes),
                                  hd_pass_u64(p, rounded(bytes) + ZONE), hd_pass_u64(p, name) };
        rows[i] = LLVMConstStructInContext(p->context, values, 4, 0);
    }
    LLVMValueRef list = LLVMAddGlobal(p->module, LLVMArrayType(row, n), "__heddle_variables");
    LLVMSetInitializer(list, LLVMConstArray(row, rows, n));
    LLVMValueRef count = LLVMAddGlobal(p->module, p->i64, "__heddle_n_variables");
    LLVMSetInitializer(count, hd_pass_u64(p, n));
    free(rows);
    free(variables);
}
