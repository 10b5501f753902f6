/* In the search over graphs a thread stands still that comes back to a state which it has been
 * in, with nothing but loads in between (runtime/turns.c).  It is asked at the head of loops.
 * A loop needs that question if one way through it has a load that is an event of the graph,
 * and no atomic store or read-modify-write.  A failed compare-exchange is a load.  Plain loads
 * are events under some models only: a loop without others has a hook of its own.
 *
 * A loop that counts its iterations never comes back to a state. */
#include "instrument/turns.h"

#include "base/err.h"
#include "core/abi.h"

#include <stdlib.h>
#include <string.h>

enum { PLAIN = 1, ATOMIC }; /* what kind of load may be reached */

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool is_atomic(LLVMValueRef access)
{
    return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static uint64_t known(const struct hd_turns *turns, LLVMValueRef function)
{
    const uint64_t *found = hd_ptrmap_get(&turns->looks, function);
    return found ? *found : 0;
}

/* What the instruction, or what it calls, looks at; 0: nothing. */
static uint64_t looks(const struct hd_turns *turns, LLVMValueRef inst)
{
    if (LLVMIsAAtomicCmpXchgInst(inst))
        return ATOMIC;
    if (LLVMIsALoadInst(inst)) {
        bool shared = hd_plan_region(turns->plan, LLVMGetOperand(inst, 0)) == HD_REGION_SHARED;
        return is_atomic(inst) ? ATOMIC : shared ? PLAIN : 0;
    }
    if (!LLVMIsACallInst(inst) && !LLVMIsAInvokeInst(inst))
        return 0;
    LLVMValueRef callee = hd_plan_callee(inst);
    if (callee)
        return known(turns, callee);
    return LLVMIsAInlineAsm(LLVMGetCalledValue(inst)) ? 0 : ATOMIC;
}

static uint64_t function_looks(const struct hd_turns *turns, LLVMValueRef f)
{
    uint64_t most = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && most < ATOMIC;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            uint64_t level = looks(turns, i);
            most = level > most ? level : most;
        }
    return most;
}

/* A function of the library whose step may be a load. */
static void add_call(struct hd_turns *turns, LLVMModuleRef module, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (function)
        *hd_ptrmap_put(&turns->looks, function) = ATOMIC;
}

/* Attempts: one that fails is a load of the state of its object. */
static const char *const attempts[] = {
    "pthread_tryjoin_np",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock",
    "pthread_spin_trylock",
    "sem_trywait",
    "sem_timedwait",
    "sem_clockwait",
    "sem_getvalue",
    "mtx_trylock",
    "mtx_timedlock",
};

void hd_turns_init(struct hd_turns *turns, LLVMModuleRef module, struct hd_plan *plan)
{
    bool more = true;
    turns->plan = plan;
    hd_ptrmap_init(&turns->looks);
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        add_call(turns, module, attempts[i]);
    if (LLVMGetNamedFunction(module, "pthread_cancel"))
        add_call(turns, module, "pthread_testcancel");
    while (more) {
        more = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
            uint64_t before = known(turns, f);
            uint64_t level = LLVMIsDeclaration(f) || before == ATOMIC ? 0
                                                                      : function_looks(turns, f);
            if (level > before) {
                *hd_ptrmap_put(&turns->looks, f) = level;
                more = true;
            }
        }
    }
}

void hd_turns_release(struct hd_turns *turns) { hd_ptrmap_release(&turns->looks); }

/* What a walk through the blocks of the function finds. */
struct walk {
    const struct hd_turns *turns;
    LLVMBasicBlockRef *stack; /* room for all blocks */
    unsigned n;
    struct hd_ptrmap seen;
    const struct hd_ptrmap *avoids; /* blocks that it does not enter; NULL: none */
    uint64_t looked;                /* what the blocks that have been seen look at */
    bool back;                      /* the walk has come back to where it began */
};

/* Does every way through the block have a store? */
static bool stores(const struct hd_turns *turns, LLVMBasicBlockRef block, uint64_t *looked)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAAtomicRMWInst(i) || (LLVMIsAStoreInst(i) && is_atomic(i)))
            return true;
        uint64_t level = looks(turns, i);
        *looked = level > *looked ? level : *looked;
    }
    return false;
}

static void enter(struct walk *w, LLVMBasicBlockRef block)
{
    uint64_t looked = 0;
    if (hd_ptrmap_get(&w->seen, block) || stores(w->turns, block, &looked))
        return;
    const uint64_t *avoided = w->avoids ? hd_ptrmap_get(w->avoids, block) : NULL;
    if (avoided && *avoided)
        return;
    *hd_ptrmap_put(&w->seen, block) = 1;
    w->looked = looked > w->looked ? looked : w->looked;
    w->stack[w->n++] = block;
}

/* All blocks that can be reached from the head without a store. */
static void walk_from(struct walk *w, LLVMBasicBlockRef head)
{
    hd_ptrmap_init(&w->seen);
    w->n = 0;
    w->looked = 0;
    w->back = false;
    enter(w, head);
    while (w->n) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w->stack[--w->n]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            w->back |= LLVMGetSuccessor(end, s) == head;
            enter(w, LLVMGetSuccessor(end, s));
        }
    }
}

/* A constant is added to the variable. */
static bool is_counted(LLVMValueRef phi, LLVMValueRef next)
{
    LLVMOpcode op = LLVMIsAInstruction(next) ? LLVMGetInstructionOpcode(next) : LLVMRet;
    bool adds = op == LLVMAdd || op == LLVMSub ||
                (op == LLVMGetElementPtr && LLVMGetNumOperands(next) == 2);
    if (!adds || LLVMGetOperand(next, 0) != phi)
        return false;
    LLVMValueRef step = LLVMGetOperand(next, 1);
    return LLVMIsAConstantInt(step) && !LLVMIsNull(step);
}

static bool counts(const struct walk *w, LLVMBasicBlockRef head)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(head); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        bool counted = false, other = false;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (hd_ptrmap_get(&w->seen, LLVMGetIncomingBlock(phi, i))) {
                bool one = is_counted(phi, LLVMGetIncomingValue(phi, i));
                counted |= one;
                other |= !one;
            }
        if (counted && !other)
            return true;
    }
    return false;
}

/* Blocks that an edge of a depth-first walk leads back to: one at least on every cycle. */
struct heads {
    LLVMBasicBlockRef *items;
    unsigned n;
};

struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* successor */
};

static void find_heads(LLVMValueRef function, struct heads *heads, struct visit *stack)
{
    enum { OPEN = 1, DONE, HEAD };
    struct hd_ptrmap state;
    unsigned n = 0;
    hd_ptrmap_init(&state);
    stack[n++] = (struct visit){ LLVMGetEntryBasicBlock(function), 0 };
    *hd_ptrmap_put(&state, stack[0].block) = OPEN;
    while (n) {
        struct visit *v = &stack[n - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
        if (v->next == LLVMGetNumSuccessors(end)) {
            *hd_ptrmap_put(&state, v->block) = DONE;
            n--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
        uint64_t *known = hd_ptrmap_put(&state, to);
        if (*known == 0) {
            *known = OPEN;
            stack[n++] = (struct visit){ to, 0 };
        } else if (*known == OPEN) {
            *known = HEAD;
            heads->items[heads->n++] = to;
        }
    }
    hd_ptrmap_release(&state);
}

static LLVMValueRef first_of(LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    return first;
}

static bool calls(LLVMValueRef inst, const char *name)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? hd_plan_callee(inst) : NULL;
    return callee && strcmp(name_of(callee), name) == 0;
}

/* Does the loop wait in another way (await.c)?  One with plain accesses does not, under a weak
 * memory model. */
static bool waits(LLVMBasicBlockRef head)
{
    LLVMValueRef first = first_of(head);
    if (calls(first, "__heddle_spin"))
        return true;
    if (!calls(first, "__heddle_await_begin"))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(head)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef await = LLVMGetPreviousInstruction(LLVMGetUser(u));
        if (await && calls(await, "__heddle_await"))
            return !(LLVMConstIntGetZExtValue(LLVMGetOperand(await, 0)) & HD_AWAIT_PLAIN);
    }
    return true;
}

static bool needs_hook(struct walk *w, LLVMBasicBlockRef head)
{
    walk_from(w, head);
    bool needs = w->back && w->looked && !counts(w, head) && !waits(head) &&
                 !LLVMIsALandingPadInst(first_of(head));
    hd_ptrmap_release(&w->seen);
    return needs;
}

/* A loop inside of another one, such as a delay, looks at nothing itself, and the other one has
 * a hook: what a thread remembers is for the visits of that one. */
static void drop_inner(struct walk *w, struct heads *heads)
{
    struct hd_ptrmap others;
    unsigned n = 0;
    hd_ptrmap_init(&others);
    for (unsigned i = 0; i < heads->n; i++)
        *hd_ptrmap_put(&others, heads->items[i]) = 1;
    w->avoids = &others;
    for (unsigned i = 0; i < heads->n; i++) {
        uint64_t *hooked = hd_ptrmap_put(&others, heads->items[i]);
        *hooked = 0;
        walk_from(w, heads->items[i]);
        if (!w->back || w->looked) {
            *hd_ptrmap_put(&others, heads->items[i]) = 1;
            heads->items[n++] = heads->items[i];
        }
        hd_ptrmap_release(&w->seen);
    }
    heads->n = n;
    w->avoids = NULL;
    hd_ptrmap_release(&others);
}

void hd_turns_hook(const struct hd_turns *turns, struct hd_pass *p)
{
    unsigned n = LLVMCountBasicBlocks(p->function);
    if (!known(turns, p->function))
        return;
    struct walk w = { .turns = turns, .stack = hd_alloc(n * sizeof *w.stack) };
    struct heads heads = { hd_alloc(n * sizeof *heads.items), 0 };
    struct visit *stack = hd_alloc(n * sizeof *stack);
    find_heads(p->function, &heads, stack);
    unsigned n_hooks = 0;
    for (unsigned i = 0; i < heads.n; i++)
        if (needs_hook(&w, heads.items[i]))
            heads.items[n_hooks++] = heads.items[i];
    heads.n = n_hooks;
    drop_inner(&w, &heads);
    for (unsigned i = 0; i < heads.n; i++) {
        walk_from(&w, heads.items[i]);
        hd_pass_before(p, first_of(heads.items[i]));
        hd_pass_hook(p, w.looked == PLAIN ? "__heddle_turn_plain" : "__heddle_turn", p->nothing,
                     NULL, 0);
        hd_ptrmap_release(&w.seen);
    }
    free(stack);
    free(heads.items);
    free(w.stack);
}
