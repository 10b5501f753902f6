/* A loop is one that waits if a turn of it that does not leave it changes nothing: it consists
 * of loads, computation, yielding and sleeping, of read-modify-writes that may turn out to
 * change nothing (a failed compare-exchange, a test-and-set of what is set), and of attempts
 * to have a lock or a semaphore, which change nothing if they fail.  Nothing that a turn
 * computes is used by the next, so a turn depends on what it reads alone: if that is as it
 * was, the next turn ends as this one did, and the runtime lets the thread wait for a change
 * instead (runtime/await.c).
 *
 * A loop that is never left and does nothing at all lets the others go on (__heddle_spin).
 *
 * Only innermost loops with one header are looked at.  A variable that is set to something
 * fixed in every turn (the expected value of a compare-exchange) makes the first turn unlike
 * the others; the runtime waits behind the second then. */
#include "instrument/await.h"

#include "base/str.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { MOST_BLOCKS = 32, MOST_LATCHES = 8, MOST_ACCESSES = 16 };

struct loop {
    const struct hd_plan *plan;
    LLVMBasicBlockRef header;
    LLVMBasicBlockRef blocks[MOST_BLOCKS]; /* the header is the first */
    unsigned n;
    LLVMBasicBlockRef latches[MOST_LATCHES];
    unsigned n_latches;
    const struct hd_planned *accesses[MOST_ACCESSES];
    unsigned n_accesses;
    LLVMValueRef tries[MOST_ACCESSES];
    unsigned n_tries;
    bool carried;
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool has_block(const struct loop *l, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->blocks[i] == block)
            return true;
    return false;
}

/* Blocks from which `block` is reached in one step: the users of its name that are branches. */
static unsigned predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *out, unsigned room)
{
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        if (n == room)
            return room + 1;
        out[n++] = LLVMGetInstructionParent(user);
    }
    return n;
}

/* All blocks between the header and its latches.  False: there are too many, or the loop can be
 * entered elsewhere. */
static bool collect(struct loop *l, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    l->blocks[0] = l->header;
    l->n = 1;
    for (unsigned i = 0; i < l->n_latches; i++)
        if (!has_block(l, l->latches[i])) {
            if (l->n == MOST_BLOCKS)
                return false;
            l->blocks[l->n++] = l->latches[i];
        }
    for (unsigned i = 1; i < l->n; i++) {
        LLVMBasicBlockRef from[MOST_BLOCKS];
        unsigned n = predecessors(l->blocks[i], from, MOST_BLOCKS);
        if (l->blocks[i] == entry || n > MOST_BLOCKS)
            return false;
        for (unsigned k = 0; k < n; k++) {
            if (has_block(l, from[k]))
                continue;
            if (l->n == MOST_BLOCKS)
                return false;
            l->blocks[l->n++] = from[k];
        }
    }
    return true;
}

/* Is the block reached again without passing the header?  Then there is a loop in the loop. */
static bool cyclic(const struct loop *l)
{
    unsigned depth[MOST_BLOCKS] = { 0 };
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        if (round > l->n)
            return true; /* longest paths that go on growing */
        changed = false;
        for (unsigned i = 0; i < l->n; i++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[i]);
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
                for (unsigned k = 1; k < l->n; k++)
                    if (LLVMGetSuccessor(end, s) == l->blocks[k] && depth[k] < depth[i] + 1) {
                        depth[k] = depth[i] + 1;
                        changed = true;
                    }
        }
    }
    return false;
}

static bool defined_inside(const struct loop *l, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && has_block(l, LLVMGetInstructionParent(value));
}

static bool is_latch(const struct loop *l, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < l->n_latches; i++)
        if (l->latches[i] == block)
            return true;
    return false;
}

/* The one value that a variable of the header has after every turn, NULL if there is no such. */
static LLVMValueRef value_after(const struct loop *l, LLVMValueRef phi)
{
    LLVMValueRef value = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (!is_latch(l, LLVMGetIncomingBlock(phi, i)))
            continue;
        if ((defined_inside(l, incoming) && incoming != phi) || (value && value != incoming))
            return NULL;
        value = incoming;
    }
    return value;
}

bool hd_await_polite(LLVMValueRef assembly)
{
#if LLVM_VERSION_MAJOR >= 18
    static const char *const words[] = { "pause", "nop", "rep", "yield", "lfence", "sfence" };
    size_t n;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n), *end = code + n;
    while (code += strspn(code, " \t\n;"), code < end && *code) {
        size_t length = strcspn(code, " \t\n;");
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known |= strlen(words[i]) == length && strncmp(code, words[i], length) == 0;
        if (!known)
            return false;
        code += length;
    }
    return true;
#else
    (void)assembly;
    return false;
#endif
}

/* Functions that try to have what their first argument points to, and what they return when they
 * could not. */
static const struct attempt {
    const char *name;
    enum hd_op op;
    int in_vain;
} attempts[] = {
    { "pthread_mutex_trylock", HD_OP_TRYLOCK, EBUSY },
    { "pthread_mutex_timedlock", HD_OP_TIMEDLOCK, ETIMEDOUT },
    { "pthread_mutex_clocklock", HD_OP_TIMEDLOCK, ETIMEDOUT },
    { "pthread_spin_trylock", HD_OP_SPIN_TRYLOCK, EBUSY },
    { "pthread_rwlock_tryrdlock", HD_OP_TRYRDLOCK, EBUSY },
    { "pthread_rwlock_trywrlock", HD_OP_TRYWRLOCK, EBUSY },
    { "pthread_rwlock_timedrdlock", HD_OP_TIMEDRDLOCK, ETIMEDOUT },
    { "pthread_rwlock_timedwrlock", HD_OP_TIMEDWRLOCK, ETIMEDOUT },
    { "pthread_rwlock_clockrdlock", HD_OP_TIMEDRDLOCK, ETIMEDOUT },
    { "pthread_rwlock_clockwrlock", HD_OP_TIMEDWRLOCK, ETIMEDOUT },
    { "sem_trywait", HD_OP_SEM_TRYWAIT, -1 },
    { "sem_timedwait", HD_OP_SEM_TIMEDWAIT, -1 },
    { "sem_clockwait", HD_OP_SEM_TIMEDWAIT, -1 },
    { "mtx_trylock", HD_OP_TRYLOCK, thrd_busy },
    { "mtx_timedlock", HD_OP_TIMEDLOCK, thrd_timedout },
};

static const struct attempt *attempt_of(LLVMValueRef call)
{
    LLVMValueRef callee = hd_plan_callee(call);
    if (callee == NULL || !LLVMIsDeclaration(callee) ||
        LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind)
        return NULL;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        if (strcmp(name_of(callee), attempts[i].name) == 0)
            return &attempts[i];
    return NULL;
}

static bool quiet_call(LLVMValueRef call, int depth);

/* A function that does nothing but be polite: cpu_relax() and the like. */
static bool quiet_function(LLVMValueRef function, int depth)
{
    if (LLVMIsDeclaration(function) || depth > 2 || LLVMCountBasicBlocks(function) != 1)
        return false;
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAReturnInst(i) && !(LLVMIsACallInst(i) && quiet_call(i, depth + 1)))
            return false;
    return true;
}

static bool quiet_call(LLVMValueRef call, int depth)
{
    static const char *const list[] = { "sched_yield", "pthread_yield",   "thrd_yield",
                                        "usleep",      "nanosleep",       "sleep",
                                        "thrd_sleep",  "__errno_location" };
    LLVMValueRef value = LLVMGetCalledValue(call), callee = hd_plan_callee(call);
    if (LLVMIsAInlineAsm(value))
        return hd_await_polite(value);
    if (callee == NULL)
        return false;
    const char *name = name_of(callee);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return LLVMIsDeclaration(callee);
    return hd_str_starts(name, "llvm.x86.sse2.pause") || hd_str_starts(name, "llvm.dbg.") ||
           hd_str_starts(name, "llvm.lifetime.") || hd_str_starts(name, "llvm.expect") ||
           quiet_function(callee, depth);
}

/* A read-modify-write that may leave the place as it was. */
static bool may_change_nothing(LLVMValueRef inst)
{
    if (LLVMIsAAtomicCmpXchgInst(inst))
        return true;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(inst));
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    return (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) &&
           (op == LLVMAtomicRMWBinOpXchg ||
            (kind == LLVMIntegerTypeKind &&
             (op == LLVMAtomicRMWBinOpOr || op == LLVMAtomicRMWBinOpAnd)));
}

static bool fits(struct loop *l, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMPHI:
        if (LLVMGetInstructionParent(inst) != l->header)
            return true;
        l->carried = true;
        return value_after(l, inst) != NULL;
    case LLVMStore:
    case LLVMAlloca:
    case LLVMVAArg:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMIndirectBr:
    case LLVMRet:
    case LLVMResume:
        return false;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return may_change_nothing(inst);
    case LLVMCall:
        if (attempt_of(inst) == NULL)
            return quiet_call(inst, 0);
        if (l->n_tries == MOST_ACCESSES)
            return false;
        l->tries[l->n_tries++] = inst;
        return true;
    default:
        return true;
    }
}

/* Every access that is hooked is one that is waited for. */
static bool find_accesses(struct loop *l)
{
    l->n_accesses = 0;
    for (size_t i = 0; i < l->plan->n; i++) {
        const struct hd_planned *item = &l->plan->items[i];
        bool access = item->kind == HD_PLAN_LOAD || item->kind == HD_PLAN_RMW ||
                      item->kind == HD_PLAN_CAS;
        if (!access || !has_block(l, LLVMGetInstructionParent(item->inst)))
            continue;
        if (l->n_accesses == MOST_ACCESSES || item->region != HD_REGION_SHARED)
            return false;
        l->accesses[l->n_accesses++] = item;
    }
    return l->n_accesses + l->n_tries > 0;
}

static bool waits(struct loop *l, LLVMValueRef function)
{
    if (!collect(l, function) || cyclic(l))
        return false;
    l->carried = false;
    l->n_tries = 0;
    for (unsigned i = 0; i < l->n; i++)
        for (LLVMValueRef inst = LLVMGetFirstInstruction(l->blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (!fits(l, inst))
                return false;
    return find_accesses(l);
}

/* 1 if the place is as it was. */
static LLVMValueRef unchanged(struct hd_pass *p, LLVMValueRef inst)
{
    LLVMBuilderRef b = p->builder;
    LLVMValueRef same;
    if (LLVMIsAAtomicCmpXchgInst(inst)) {
        same = LLVMBuildNot(b, LLVMBuildExtractValue(b, inst, 1, ""), "");
    } else {
        LLVMValueRef operand = LLVMGetOperand(inst, 1), now = operand;
        if (LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpOr)
            now = LLVMBuildOr(b, inst, operand, "");
        if (LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpAnd)
            now = LLVMBuildAnd(b, inst, operand, "");
        same = LLVMBuildICmp(b, LLVMIntEQ, inst, now, "");
    }
    return LLVMBuildZExt(b, same, p->i32, "");
}

static void hook_access(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst, address = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = item->kind == HD_PLAN_LOAD ? LLVMTypeOf(inst)
                                                  : LLVMTypeOf(LLVMGetOperand(inst, 1));
    LLVMValueRef bytes = hd_pass_u64(p, hd_pass_bytes(p, type));
    LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(inst));
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(inst));
    if (item->kind == HD_PLAN_LOAD) {
        LLVMValueRef args[] = { address, bytes };
        hd_pass_hook(p, "__heddle_await_saw", p->nothing, args, 2);
    } else {
        LLVMValueRef args[] = { address, bytes, unchanged(p, inst) };
        hd_pass_hook(p, "__heddle_await_wrote", p->nothing, args, 3);
    }
}

static void hook_attempt(struct hd_pass *p, LLVMValueRef call)
{
    const struct attempt *attempt = attempt_of(call);
    LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(call));
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef result = LLVMConstInt(LLVMTypeOf(call), (unsigned long long)attempt->in_vain, 1);
    LLVMValueRef in_vain = LLVMBuildICmp(p->builder, LLVMIntEQ, call, result, "");
    LLVMValueRef args[] = { LLVMGetOperand(call, 0), hd_pass_u32(p, attempt->op),
                            LLVMBuildZExt(p->builder, in_vain, p->i32, "") };
    hd_pass_hook(p, "__heddle_await_tried", p->nothing, args, 3);
}

/* The variables of the header come from `turn` now where they came from a latch. */
static void move_phis(struct hd_pass *p, const struct loop *l, LLVMBasicBlockRef turn)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(l->header);
    while (LLVMIsAPHINode(phi)) {
        LLVMValueRef next = LLVMGetNextInstruction(phi), after = value_after(l, phi);
        LLVMPositionBuilderBefore(p->builder, phi);
        LLVMValueRef moved = LLVMBuildPhi(p->builder, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            if (!is_latch(l, from))
                LLVMAddIncoming(moved, &value, &from, 1);
        }
        after = after == phi ? moved : after;
        LLVMAddIncoming(moved, &after, &turn, 1);
        LLVMReplaceAllUsesWith(phi, moved);
        LLVMInstructionEraseFromParent(phi);
        phi = next;
    }
}

static void hook_loop(struct hd_pass *p, const struct loop *l)
{
    LLVMValueRef shown = l->n_tries ? l->tries[0] : l->accesses[0]->inst;
    uint32_t site = hd_sites_add(&p->sites, shown, HD_OP_AWAIT, 0, 0);
    for (unsigned i = 0; i < l->n_accesses; i++)
        hook_access(p, l->accesses[i]);
    for (unsigned i = 0; i < l->n_tries; i++)
        hook_attempt(p, l->tries[i]);
    LLVMBasicBlockRef turn = LLVMInsertBasicBlockInContext(p->context, l->header, "");
    move_phis(p, l, turn);
    for (unsigned i = 0; i < l->n_latches; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->latches[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == l->header)
                LLVMSetSuccessor(end, s, turn);
    }
    LLVMPositionBuilderAtEnd(p->builder, turn);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    LLVMValueRef args[] = { hd_pass_u32(p, l->carried), hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_await", p->nothing, args, 2);
    LLVMBuildBr(p->builder, l->header);
    LLVMValueRef first = LLVMGetFirstInstruction(l->header);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(p->builder, first);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    hd_pass_hook(p, "__heddle_await_begin", p->nothing, NULL, 0);
}

/* Does nothing, and cannot break the program? */
static bool idle(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMBr:
    case LLVMSwitch:
    case LLVMPHI:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return true;
    case LLVMCall: {
        LLVMValueRef value = LLVMGetCalledValue(inst), callee = hd_plan_callee(inst);
        if (LLVMIsAInlineAsm(value))
            return hd_await_polite(value);
        return callee && (hd_str_starts(name_of(callee), "llvm.x86.sse2.pause") ||
                          hd_str_starts(name_of(callee), "llvm.dbg."));
    }
    default:
        return false;
    }
}

/* A loop that is never left and does nothing. */
static bool endless(struct loop *l, LLVMValueRef function)
{
    if (!collect(l, function))
        return false;
    for (unsigned i = 0; i < l->n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (!has_block(l, LLVMGetSuccessor(end, s)))
                return false;
        for (LLVMValueRef inst = LLVMGetFirstInstruction(l->blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (!idle(inst))
                return false;
    }
    return true;
}

static void hook_endless(struct hd_pass *p, const struct loop *l)
{
    LLVMValueRef first = LLVMGetFirstInstruction(l->header);
    LLVMValueRef shown = LLVMGetBasicBlockTerminator(l->header);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(p->builder, first);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    LLVMValueRef args[] = { hd_pass_u32(p, hd_sites_add(&p->sites, shown, HD_OP_SPIN, 0, 0)) };
    hd_pass_hook(p, "__heddle_spin", p->nothing, args, 1);
}

/* Latches: predecessors of the header that the header comes before on every way. */
static bool find_latches(struct loop *l, LLVMValueRef function)
{
    LLVMBasicBlockRef from[MOST_LATCHES];
    unsigned n = predecessors(l->header, from, MOST_LATCHES);
    l->n_latches = 0;
    if (n > MOST_LATCHES || l->header == LLVMGetEntryBasicBlock(function))
        return false;
    for (unsigned i = 0; i < n; i++) {
        struct loop one = { .header = l->header, .latches = { from[i] }, .n_latches = 1 };
        for (unsigned k = 0; k < i; k++)
            if (from[k] == from[i])
                return false; /* two edges from one block */
        if (collect(&one, function))
            l->latches[l->n_latches++] = from[i];
    }
    return l->n_latches > 0;
}

void hd_await_loops(struct hd_pass *p, const struct hd_plan *plan)
{
    LLVMBasicBlockRef next;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = next) {
        struct loop l = { .plan = plan, .header = b };
        next = LLVMGetNextBasicBlock(b);
        if (!find_latches(&l, p->function))
            continue;
        if (endless(&l, p->function))
            hook_endless(p, &l);
        else if (waits(&l, p->function))
            hook_loop(p, &l);
    }
}
