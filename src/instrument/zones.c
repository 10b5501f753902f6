/* Zones around locals whose addresses escape and after the program's variables.  Zones of a
 * stack change as scopes begin and end: the code tells the runtime (runtime/zones.c). */
#include "instrument/bounds.h"

#include "core/abi.h"
#include "instrument/frames.h"
#include "instrument/names.h"
#include "instrument/scopes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = HD_ZONE_BYTES, SMALL_ZONE = 8 };

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static uint64_t rounded(uint64_t bytes) { return (bytes + ZONE - 1) / ZONE * ZONE; }

/* ---- locals ---- */

/* Is it passed to a function that does not keep its address? What that reads or writes is
 * looked up, and so are accesses through a pointer that it returns.  `intrinsics`: those count,
 * too. */
static bool is_lent(LLVMValueRef pointer, bool intrinsics)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) && is_lent(user, intrinsics))
            return true;
        if (!hd_code_is_call(user) || hd_scopes_is_marker(user, "llvm.lifetime.") ||
            hd_scopes_is_marker(user, "llvm.dbg."))
            continue;
        if (intrinsics || !hd_scopes_is_marker(user, "llvm."))
            return true;
    }
    return false;
}

/* Is the rest of the function only its return?  Then nothing can use what ends here. */
static bool is_at_end(LLVMValueRef marker)
{
    enum { MOST_BLOCKS = 4 };
    LLVMValueRef i = LLVMGetNextInstruction(marker);
    for (unsigned blocks = 0; i && blocks < MOST_BLOCKS;) {
        if (LLVMIsAReturnInst(i))
            return true;
        if (LLVMIsABranchInst(i) && !LLVMIsConditional(i)) {
            i = LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0));
            blocks++;
        } else if (LLVMIsAPHINode(i) || hd_scopes_is_marker(i, "llvm.lifetime.end") ||
                   hd_scopes_is_marker(i, "llvm.dbg.") ||
                   hd_scopes_is_marker(i, "__heddle_gone")) {
            i = LLVMGetNextInstruction(i);
        } else {
            return false;
        }
    }
    return false;
}

bool hd_zones_end_early(LLVMValueRef slot)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (hd_scopes_is_marker(user, "llvm.lifetime.end") && !is_at_end(user))
            return true;
    }
    return false;
}

uint32_t hd_zones_name_id(struct hd_pass *p, LLVMValueRef slot)
{
    size_t n, n_type;
    const char *name = hd_names_get(slot, hd_names_kind(p->context), 0, &n);
    const char *type = hd_names_type(slot, &n_type);
    if (!name)
        return 0;
    char *first = hd_str_format("%.*s", (int)n, name);
    char *second = hd_str_format("%.*s", type ? (int)n_type : 0, type ? type : "");
    uint32_t id = hd_sites_pair(&p->sites, first, second);
    free(first);
    free(second);
    return id;
}

void hd_zones_name(struct hd_pass *p, LLVMValueRef slot, LLVMValueRef inside)
{
    LLVMValueRef index = LLVMConstInt(p->i64, (uint64_t)-8, 1);
    LLVMValueRef at = LLVMBuildGEP2(p->builder, p->i8, inside, &index, 1, "");
    uint64_t mark = (uint64_t)HD_ZONE_MARK << 32 | hd_zones_name_id(p, slot);
    LLVMSetAlignment(LLVMBuildStore(p->builder, hd_pass_u64(p, mark), at), 8);
}

void hd_zones_find(struct hd_bounds *b, struct hd_plan *plan)
{
    unsigned n = 0;
    b->n_locals = 0;
    hd_ptrmap_release(&b->late);
    hd_ptrmap_init(&b->late);
    hd_scopes_late(b->p->function, &b->late);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->p->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i))
                continue;
            bool escapes = hd_plan_escapes(plan, i), dynamic = hd_dynamic_is(i);
            bool late = hd_ptrmap_get(&b->late, i) != NULL;
            if (!escapes && !dynamic && !late && !is_lent(i, true))
                continue;
            if (n % 64 == 0)
                b->locals = hd_realloc(b->locals, (n + 64) * sizeof *b->locals);
            bool shared = plan->sharing == NULL || hd_sharing_of(plan->sharing, i) == HD_SHARED;
            b->locals[n++] = (struct hd_local){
                .slot = i,
                .name = hd_zones_name_id(b->p, i),
                .dynamic = dynamic,
                .zones = escapes || late || is_lent(i, false),
                .escapes = escapes,
                .shared = escapes && shared,
            };
        }
    b->n_locals = n;
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

/* The scope begins and ends where the compiler says so.  False: it does not. */
static bool follow_markers(struct hd_pass *p, const struct hd_local *l, LLVMValueRef slot,
                           uint64_t bytes, uint64_t zone)
{
    LLVMValueRef markers[64];
    unsigned n = 0, starts = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!hd_scopes_is_marker(user, "llvm.lifetime."))
            continue;
        if (n == sizeof markers / sizeof *markers)
            return false;
        starts += hd_scopes_is_marker(user, "llvm.lifetime.start");
        markers[n++] = user;
    }
    for (unsigned i = 0; i < n; i++) {
        hd_pass_before(p, markers[i]);
        if (hd_scopes_is_marker(markers[i], "llvm.lifetime.start"))
            alive(p, slot, bytes, zone);
        else if (starts && (l->escapes || !is_at_end(markers[i])))
            gone(p, markers[i], slot, bytes, l->shared);
        LLVMInstructionEraseFromParent(markers[i]);
    }
    return starts > 0;
}

/* The local keeps its place for as long as the function runs: otherwise another one, of a
 * function that is inlined later, could lie there before the scope begins, and leave zones. */
static void erase_markers(LLVMValueRef slot)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use;) {
        LLVMValueRef user = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (hd_scopes_is_marker(user, "llvm.lifetime."))
            LLVMInstructionEraseFromParent(user);
    }
}

/* A place for the local with a zone on either side, in the place of the old one. */
static LLVMValueRef with_zones(struct hd_pass *p, LLVMValueRef slot, uint64_t bytes,
                               uint64_t zone)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    unsigned alignment = LLVMGetAlignment(slot);
    uint64_t least = zone >= ZONE ? ZONE : SMALL_ZONE;
    uint64_t front = alignment > least ? alignment : least;
    LLVMTypeRef fields[] = { LLVMArrayType(p->i8, (unsigned)front),
                             LLVMArrayType(
                                 type, (unsigned)(bytes / LLVMABISizeOfType(p->layout, type))),
                             LLVMArrayType(p->i8, (unsigned)zone) };
    LLVMTypeRef wider = LLVMStructTypeInContext(p->context, fields, 3, 1);
    hd_pass_before(p, slot);
    LLVMValueRef room = LLVMBuildAlloca(p->builder, wider, "");
    LLVMSetAlignment(room, (unsigned)front);
    LLVMValueRef inside = LLVMBuildStructGEP2(p->builder, wider, room, 1, "");
    hd_zones_name(p, slot, inside);
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
            gone(p, hd_frames_before_return(last), slot, bytes, shared);
    }
}

static void local(struct hd_pass *p, const struct hd_local *l)
{
    LLVMValueRef slot = l->slot, count = LLVMGetOperand(slot, 0);
    uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(slot));
    if (l->dynamic) {
        hd_dynamic_begins(p, slot);
        return;
    }
    bytes *= LLVMConstIntGetZExtValue(count);
    if (!l->zones) { /* only what was there before ends */
        hd_pass_before(p, LLVMGetNextInstruction(slot));
        alive(p, slot, bytes, 0);
        erase_markers(slot);
        return;
    }
    if (bytes == 0)
        return;
    /* A call exceeds what it is passed with a range that begins inside: a small zone is
     * enough. */
    uint64_t zone = l->escapes ? rounded(bytes) - bytes + ZONE
                               : (bytes + 7) / 8 * 8 - bytes + SMALL_ZONE;
    slot = with_zones(p, slot, bytes, zone);
    if (follow_markers(p, l, slot, bytes, zone))
        return;
    hd_pass_before(p, LLVMGetNextInstruction(slot));
    alive(p, slot, bytes, zone);
    if (l->escapes)
        at_returns(p, slot, bytes, l->shared);
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

/* Frames may have been left without an end of their scopes. */
static void behind_jumps(struct hd_pass *p)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool jump = hd_frames_returns_twice(i);
            LLVMValueRef behind = jump ? hd_frames_behind(i) : LLVMGetNextInstruction(i);
            if (behind == NULL || (!jump && !LLVMIsALandingPadInst(i)))
                continue;
            hd_pass_before(p, behind);
            hd_pass_hook(p, "__heddle_unwound", p->nothing, NULL, 0);
        }
}

static void at_entry(struct hd_pass *p, const struct hd_facts *facts)
{
    uint32_t function = hd_code_function(&facts->code, p->function);
    if (!facts->points_to.called_from_outside[function])
        return;
    hd_pass_before(p, first_statement(p->function));
    hd_pass_hook(p, "__heddle_entered", p->nothing, NULL, 0);
}

void hd_zones_function(struct hd_bounds *b)
{
    const struct hd_local *shared = NULL;
    bool dynamic = false;
    for (unsigned i = 0; i < b->n_locals; i++) {
        local(b->p, &b->locals[i]);
        dynamic |= b->locals[i].dynamic;
        if (b->locals[i].dynamic && b->locals[i].shared)
            shared = &b->locals[i];
    }
    if (dynamic)
        hd_dynamic_ends(b->p, shared);
    hd_variadic_function(b->p);
    by_value(b->p);
    behind_jumps(b->p);
    at_entry(b->p, b->facts);
}

/* ---- variables of the program ---- */

uint32_t hd_zones_name_of_variable(struct hd_pass *p, LLVMValueRef g)
{
    const char *name = name_of(g);
    return hd_sites_string(&p->sites, hd_str_starts(name, ".str") ? "string literal" : name);
}

/* The library's tables of types and virtual functions are left as they are. */
bool hd_zones_has(LLVMValueRef g)
{
    const char *section = LLVMGetSection(g), *name = name_of(g);
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return !LLVMIsDeclaration(g) && !LLVMIsThreadLocal(g) && !hd_str_starts(name, "_ZT") &&
           (section == NULL || section[0] == 0) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage ||
            (linkage == LLVMPrivateLinkage && hd_str_starts(name, ".str"))) &&
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
    LLVMSetGlobalConstant(wider, LLVMIsGlobalConstant(g));
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
        room += hd_zones_has(g);
    LLVMValueRef *variables = hd_alloc((room + 1) * sizeof *variables);
    LLVMValueRef *rows = hd_alloc((room + 1) * sizeof *rows);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (hd_zones_has(g))
            variables[n++] = g;
    for (unsigned i = 0; i < n; i++) {
        uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(variables[i]));
        uint32_t name = hd_zones_name_of_variable(p, variables[i]);
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
