/* A loop waits if an iteration that does not leave it changes nothing: it consists of loads,
 * computation, yielding and sleeping, of read-modify-writes that may change nothing (a failed
 * compare-exchange, a test-and-set of what is set), and of attempts to take a lock or a
 * semaphore, which change nothing if they fail.  The values that an iteration passes to the
 * next are fixed, or come from its reads alone.  So if it passes on what it began with, and
 * everything that it read is unchanged, the next iteration ends in the same way, and the
 * runtime lets the thread wait for a change instead (runtime/await.c).  If it read nothing that
 * another thread may write, the thread stays in the loop for ever, and the others go on.
 *
 * Only innermost loops with one header are considered.  A variable that every iteration sets to
 * a fixed value (the expected value of a compare-exchange) makes the first iteration differ
 * from the others; the runtime then waits after the second. */
#include "instrument/await.h"

#include "base/str.h"
#include "core/abi.h"
#include "instrument/endless.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { MOST_ACCESSES = 16 };

struct waiting {
    struct hd_loop loop;
    const struct hd_plan *plan;
    LLVMTargetDataRef layout;
    const struct hd_planned *accesses[MOST_ACCESSES];
    unsigned n_accesses;
    LLVMValueRef tries[MOST_ACCESSES];
    unsigned n_tries;
    bool carried;
    bool plain, atomic; /* is one of the accesses plain; atomic? */
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

/* The one value that a variable of the header has after every turn, NULL if there is no
 * such. */
static LLVMValueRef value_after(const struct hd_loop *l, LLVMValueRef phi)
{
    LLVMValueRef value = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (!hd_loop_is_latch(l, LLVMGetIncomingBlock(phi, i)))
            continue;
        if ((hd_loop_defines(l, incoming) && incoming != phi) || (value && value != incoming))
            return NULL;
        value = incoming;
    }
    return value;
}

/* Is the value computed from a variable of the header?  `budget` bounds the search. */
static bool depends(const struct hd_loop *l, LLVMValueRef value, unsigned *budget)
{
    if (!hd_loop_defines(l, value))
        return false;
    if (*budget == 0 || (LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == l->header))
        return true;
    --*budget;
    if (LLVMIsAPHINode(value)) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            if (depends(l, LLVMGetIncomingValue(value, i), budget))
                return true;
        return false;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (depends(l, LLVMGetOperand(value, (unsigned)i), budget))
            return true;
    return false;
}

/* A variable of the header that every turn sets to something that it read: the loop's first
 * look may be before it.  Others, such as counters, would be sound too, as the values are
 * compared, but they never become constant. */
static bool is_read_anew(const struct hd_loop *l, LLVMValueRef phi)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    unsigned budget = 64;
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (hd_loop_is_latch(l, LLVMGetIncomingBlock(phi, i)) && incoming != phi &&
            depends(l, incoming, &budget))
            return false;
    }
    return true;
}

bool hd_await_rests(const struct hd_loop *l, LLVMValueRef phi)
{
    return value_after(l, phi) != NULL || is_read_anew(l, phi);
}

/* Functions that try to take what their first argument points to, and what they return on
 * failure. */
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

/* A thread that is cancelled leaves the loop there. */
static bool may_be_cancelled(LLVMValueRef callee)
{
    static const char *const list[] = { "usleep",     "nanosleep",     "sleep",
                                        "thrd_sleep", "sem_timedwait", "sem_clockwait" };
    if (LLVMGetNamedFunction(LLVMGetGlobalParent(callee), "pthread_cancel") == NULL)
        return false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name_of(callee), list[i]) == 0)
            return true;
    return false;
}

static const struct attempt *attempt_of(LLVMValueRef call)
{
    LLVMValueRef callee = hd_plan_callee(call);
    if (callee == NULL || !LLVMIsDeclaration(callee) ||
        LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind || may_be_cancelled(callee))
        return NULL;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        if (strcmp(name_of(callee), attempts[i].name) == 0)
            return &attempts[i];
    return NULL;
}

static bool quiet_call(LLVMValueRef call, int depth);

/* A function that only pauses: cpu_relax() and the like. */
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
        return hd_loop_polite(value);
    if (callee == NULL)
        return false;
    const char *name = name_of(callee);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return LLVMIsDeclaration(callee) && !may_be_cancelled(callee);
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

bool hd_await_part(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMStore:
        return LLVMIsAAllocaInst(LLVMGetOperand(inst, 1)) != NULL;
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
        return attempt_of(inst) != NULL || quiet_call(inst, 0);
    default:
        return true;
    }
}

/* Is the local written before the load, in its block? */
static bool written_before(const struct waiting *w, LLVMValueRef load, LLVMValueRef local)
{
    uint64_t size = LLVMStoreSizeOfType(w->layout, LLVMTypeOf(load));
    for (LLVMValueRef i = LLVMGetPreviousInstruction(load); i; i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == local &&
            LLVMStoreSizeOfType(w->layout, LLVMTypeOf(LLVMGetOperand(i, 0))) >= size)
            return true;
    return false;
}

/* A local that a turn writes before it reads it: what it holds does not reach the next turn.
 * (The value of an atomic pointer is read as an integer and goes through memory.) */
static bool is_of_turn(const struct waiting *w, LLVMValueRef local)
{
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != local)
            continue;
        if (LLVMIsALoadInst(user) &&
            (!hd_loop_defines(&w->loop, user) || written_before(w, user, local)))
            continue;
        LLVMValueRef callee = LLVMIsACallInst(user) ? hd_plan_callee(user) : NULL;
        if (callee == NULL || !hd_str_starts(name_of(callee), "llvm.lifetime."))
            return false;
    }
    return true;
}

static bool fits(struct waiting *w, LLVMValueRef inst)
{
    if (!hd_await_part(inst))
        return false;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMPHI:
        if (LLVMGetInstructionParent(inst) != w->loop.header)
            return true;
        w->carried |= value_after(&w->loop, inst) != NULL;
        return hd_await_rests(&w->loop, inst);
    case LLVMStore:
        return is_of_turn(w, LLVMGetOperand(inst, 1));
    case LLVMCall:
        if (attempt_of(inst) == NULL)
            return true;
        if (w->n_tries == MOST_ACCESSES)
            return false;
        w->tries[w->n_tries++] = inst;
        return true;
    default:
        return true;
    }
}

/* Every hooked access is waited for.  Reads that are not hooked are of memory that no other
 * thread writes; but a read-modify-write of such memory may change it. */
static bool find_accesses(struct waiting *w)
{
    unsigned n_writes = 0;
    w->n_accesses = 0;
    for (size_t i = 0; i < w->plan->n; i++) {
        const struct hd_planned *item = &w->plan->items[i];
        bool writes = item->kind == HD_PLAN_RMW || item->kind == HD_PLAN_CAS;
        if ((!writes && item->kind != HD_PLAN_LOAD) || !hd_loop_defines(&w->loop, item->inst))
            continue;
        if (w->n_accesses == MOST_ACCESSES || item->region != HD_REGION_SHARED)
            return false;
        w->accesses[w->n_accesses++] = item;
        bool plain = !writes && LLVMGetOrdering(item->inst) == LLVMAtomicOrderingNotAtomic;
        w->plain |= plain;
        w->atomic |= !plain;
        n_writes += writes;
    }
    for (unsigned i = 0; i < w->loop.n; i++)
        for (LLVMValueRef inst = LLVMGetFirstInstruction(w->loop.blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
                n_writes--;
    return n_writes == 0;
}

static bool waits(struct waiting *w)
{
    if (hd_loop_nests(&w->loop))
        return false;
    for (unsigned i = 0; i < w->loop.n; i++)
        for (LLVMValueRef inst = LLVMGetFirstInstruction(w->loop.blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (!fits(w, inst))
                return false;
    return find_accesses(w);
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

/* What the variable is after the turn: a phi of the block that follows the latches. */
static LLVMValueRef read_anew(struct hd_pass *p, const struct hd_loop *l, LLVMValueRef phi)
{
    LLVMValueRef after = LLVMBuildPhi(p->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (hd_loop_is_latch(l, from))
            LLVMAddIncoming(after, &value, &from, 1);
    }
    return after;
}

/* The variables of the header come from `turn` now where they came from a latch.  Returns
 * whether one of them is not what it was when the turn began, as a value of `turn`; NULL: none
 * is read again. */
static LLVMValueRef move_phis(struct hd_pass *p, const struct hd_loop *l, LLVMBasicBlockRef turn)
{
    LLVMBuilderRef b = p->builder;
    LLVMValueRef phi = LLVMGetFirstInstruction(l->header), differs = NULL;
    LLVMPositionBuilderAtEnd(b, turn);
    LLVMValueRef end = LLVMBuildUnreachable(b);
    while (LLVMIsAPHINode(phi)) {
        LLVMValueRef next = LLVMGetNextInstruction(phi), after = value_after(l, phi);
        bool anew = after == NULL;
        if (anew) {
            LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(turn));
            after = read_anew(p, l, phi);
        }
        LLVMPositionBuilderBefore(b, phi);
        LLVMValueRef moved = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            if (!hd_loop_is_latch(l, from))
                LLVMAddIncoming(moved, &value, &from, 1);
        }
        after = after == phi ? moved : after;
        LLVMAddIncoming(moved, &after, &turn, 1);
        if (anew) {
            LLVMPositionBuilderBefore(b, end);
            LLVMValueRef other = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildFreeze(b, moved, ""),
                                               LLVMBuildFreeze(b, after, ""), "");
            differs = differs ? LLVMBuildOr(b, differs, other, "") : other;
        }
        hd_pass_move(p, phi, moved, anew ? after : NULL);
        phi = next;
    }
    LLVMInstructionEraseFromParent(end);
    return differs;
}

/* After all latches, in a block of its own: the iteration has not left the loop. */
static void hook_turn(struct hd_pass *p, const struct waiting *w, LLVMValueRef shown)
{
    const struct hd_loop *l = &w->loop;
    bool idle = w->n_accesses + w->n_tries == 0;
    uint32_t site = hd_sites_add(&p->sites, shown, idle ? HD_OP_SPIN : HD_OP_AWAIT, 0, 0);
    LLVMBasicBlockRef turn = LLVMInsertBasicBlockInContext(p->context, l->header, "");
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    LLVMValueRef differs = move_phis(p, l, turn);
    for (unsigned i = 0; i < l->n_latches; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->latches[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == l->header)
                LLVMSetSuccessor(end, s, turn);
    }
    LLVMPositionBuilderAtEnd(p->builder, turn);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    differs = differs ? LLVMBuildZExt(p->builder, differs, p->i32, "") : hd_pass_u32(p, 0);
    uint32_t kind = (w->carried ? HD_AWAIT_CARRIED : 0) | (w->plain ? HD_AWAIT_PLAIN : 0) |
                    (w->plain && !w->atomic && !w->n_tries ? HD_AWAIT_NO_EVENT : 0);
    LLVMValueRef args[] = { hd_pass_u32(p, kind), differs, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_await", p->nothing, args, 3);
    LLVMBuildBr(p->builder, l->header);
}

/* The access that a report shows for the loop: the awaited one, or else its first read. */
static LLVMValueRef shown_of(const struct waiting *w)
{
    if (w->n_tries + w->n_accesses)
        return w->n_tries ? w->tries[0] : w->accesses[0]->inst;
    for (unsigned i = 0; i < w->loop.n; i++)
        for (LLVMValueRef inst = LLVMGetFirstInstruction(w->loop.blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (LLVMIsALoadInst(inst) && LLVMInstructionGetDebugLoc(inst))
                return inst;
    return LLVMGetBasicBlockTerminator(w->loop.header);
}

static void hook_loop(struct hd_pass *p, const struct waiting *w)
{
    LLVMValueRef shown = shown_of(w);
    for (unsigned i = 0; i < w->n_accesses; i++)
        hook_access(p, w->accesses[i]);
    for (unsigned i = 0; i < w->n_tries; i++)
        hook_attempt(p, w->tries[i]);
    hook_turn(p, w, shown);
    LLVMPositionBuilderBefore(p->builder, hd_loop_first(&w->loop));
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    hd_pass_hook(p, "__heddle_await_begin", p->nothing, NULL, 0);
}

void hd_await_loops(struct hd_pass *p, const struct hd_plan *plan)
{
    LLVMBasicBlockRef next;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = next) {
        struct waiting w = { .plan = plan, .layout = p->layout };
        next = LLVMGetNextBasicBlock(b);
        if (!hd_loop_find(&w.loop, b, p->function))
            continue;
        if (hd_endless(&w.loop))
            hd_endless_hook(p, &w.loop);
        else if (waits(&w))
            hook_loop(p, &w);
    }
}
