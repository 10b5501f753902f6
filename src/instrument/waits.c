/* Every way through the code after a wait is followed until one of these holds:
 *
 *   CHECKED  a branch depends on memory that was read since the wait, and it is a loop's: the
 *            thread comes to the wait only through this branch, or through one on the same
 *            condition and goes back to the wait from here without doing anything.
 *   RETURNS  the function returns.  The calls of the function are then waits, too.
 *   ACTS     the thread does something: it writes memory, calls a function that may do so, or
 *            comes back to the wait without a check, or ends, as a failed assertion does.
 *
 * A wait is all right if all ways end in CHECKED.  These do not count as doing something:
 *
 *   - reading, computing, locking and unlocking, output, looking at the clock;
 *   - writing to a local, or to a place that was also written before the wait: a program that
 *     counts its waiters counts up before and down after;
 *   - a call that is also made before the wait and decides a branch: while (!try_pop()) wait().
 *
 * Only a result of 0 says that the wait was not ended by time, so only that side of a branch on
 * the result is followed.
 *
 * Nothing may differ when the thread comes back to the wait, either (waits_loop.h).
 *
 * This is no proof in either direction.  A loop that checks the wrong condition is taken for a
 * right one, and a wait whose condition is checked in another way is named without need. */
#include "instrument/waits.h"

#include "analyse/libc.h"
#include "base/demangle.h"
#include "instrument/loops.h"
#include "instrument/notes.h"
#include "instrument/waits_loop.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define HOOK "__heddle_waits"
#define NAME "heddle-wait"

enum { MOST_OPERANDS = 64, MOST_CALLS = 4, MOST_DEPTH = 8 };

enum way { CHECKED, RETURNS, ACTS };

struct walk {
    LLVMValueRef wait;
    LLVMBasicBlockRef home;  /* the block of the wait */
    bool zero;               /* a result of 0 says: not ended by time */
    struct hd_ptrmap since;  /* instructions and blocks that come after the wait */
    struct hd_ptrmap before; /* by block: 1: every way to the wait leads through it, 2: not */
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

bool hd_waits_named(const char *name)
{
    static const char *const list[] = { "pthread_cond_wait", "pthread_cond_timedwait",
                                        "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait" };
    return is_one_of(name, list, sizeof list / sizeof *list);
}

/* Parts of std::condition_variable. */
static bool is_library(LLVMValueRef function)
{
    const char *name = name_of(function);
    return hd_str_starts(name, "_ZNSt18condition_variable") ||
           hd_str_starts(name, "_ZNSt3_V222condition_variable_any");
}

/* ---- before the wait ---- */

/* Does every way to the wait lead through the block? */
static bool comes_before(struct walk *w, LLVMBasicBlockRef block)
{
    uint64_t *known = hd_ptrmap_put(&w->before, block);
    if (*known == 0) {
        struct hd_ptrmap seen;
        hd_ptrmap_init(&seen);
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
        bool other = hd_wait_reaches(entry, w->home, block, &seen);
        *known = other ? 2 : 1;
        hd_ptrmap_release(&seen);
    }
    return *known == 1;
}

static bool inst_before(struct walk *w, LLVMValueRef inst)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
    if (block != w->home)
        return comes_before(w, block);
    for (LLVMValueRef i = inst; i; i = LLVMGetNextInstruction(i))
        if (i == w->wait)
            return i != inst;
    return false;
}

static bool written_before(struct walk *w, LLVMValueRef place)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(w->home);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef other = hd_wait_written(i);
            if (other && hd_wait_same_place(place, other, 8) && inst_before(w, i))
                return true;
        }
    return false;
}

/* ---- what changes nothing ---- */

/* Does the value decide a branch? */
static bool decides(LLVMValueRef value, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsABranchInst(user) || LLVMIsASwitchInst(user))
            return true;
        if (depth > 0 && LLVMIsAInstruction(user) && !hd_wait_call(user) &&
            !LLVMIsAStoreInst(user) && decides(user, depth - 1))
            return true;
    }
    return false;
}

/* Functions of the library that leave the program's memory as it is, or change only who holds a
 * lock. */
static bool is_quiet_name(const char *name)
{
    static const char *const list[] = {
        "pthread_mutex_lock",
        "pthread_mutex_unlock",
        "mtx_lock",
        "mtx_unlock",
        "pthread_self",
        "pthread_setcancelstate",
        "pthread_testcancel",
        "sched_yield",
        "__errno_location",
        "clock_gettime",
        "gettimeofday",
        "time",
        "timespec_get",
        "printf",
        "fprintf",
        "puts",
        "fputs",
        "putchar",
        "fputc",
        "putc",
        "fwrite",
        "fflush",
        "perror",
        "__pthread_unregister_cancel",
    };
    static const char *const starts[] = {
        "__heddle_",          "_ZNKSt",         "_ZNSt11unique_lock",
        "_ZNSt10lock_guard",  "_ZNSt5mutex",    "_ZNSt11scoped_lock",
        "_ZNSt15recursive_m", "_ZNSt12__mutex", "_ZNSt6chrono",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (hd_str_starts(name, starts[i]))
            return true;
    const struct hd_libc *row = hd_libc_find(name);
    return is_one_of(name, list, sizeof list / sizeof *list) ||
           (row && row->class == HD_LIBC_PURE);
}

static bool never_returns(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
    const LLVMAttributeIndex whole = (LLVMAttributeIndex)-1;
    LLVMValueRef callee = hd_plan_callee(call);
    return LLVMGetCallSiteEnumAttribute(call, whole, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, whole, kind));
}

static bool is_quiet_call(LLVMValueRef call, int depth);

/* By itself, wherever it stands. */
static bool is_quiet(LLVMValueRef inst, int depth)
{
    LLVMValueRef place = hd_wait_written(inst);
    if (place)
        return hd_wait_local(place);
    if (LLVMIsAAtomicCmpXchgInst(inst))
        return hd_wait_local(LLVMGetOperand(inst, 0));
    return !hd_wait_call(inst) || is_quiet_call(inst, depth);
}

/* A function that only reads. */
static bool only_reads(LLVMValueRef function, int depth)
{
    if (LLVMIsDeclaration(function) || depth == 0)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_quiet(i, depth - 1))
                return false;
    return true;
}

static bool is_quiet_call(LLVMValueRef call, int depth)
{
    LLVMValueRef value = LLVMGetCalledValue(call), callee = hd_plan_callee(call);
    if (LLVMIsAInlineAsm(value))
        return hd_loop_polite(value);
    if (callee == NULL)
        return false;
    const char *name = name_of(callee);
    if (hd_str_starts(name, "llvm.mem"))
        return hd_wait_local(LLVMGetOperand(call, 0));
    return hd_str_starts(name, "llvm.") || never_returns(call) || is_quiet_name(name) ||
           only_reads(callee, depth);
}

/* After the wait: does nothing, or no more than the code before the wait has done, too. */
static bool harmless(struct walk *w, LLVMValueRef inst)
{
    if (is_quiet(inst, MOST_CALLS))
        return true;
    LLVMValueRef place = hd_wait_written(inst);
    if (place && written_before(w, place))
        return true;
    return !LLVMIsAStoreInst(inst) && inst_before(w, inst) && decides(inst, 8);
}

/* ---- after the wait ---- */

/* Do only loads and stores use the slot, so that no other thread does? */
static bool is_private(LLVMValueRef slot)
{
    if (!LLVMIsAAllocaInst(slot))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsALoadInst(user) &&
            !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot))
            return false;
    }
    return true;
}

/* Was the value computed from memory that was read after the wait? */
static bool read_since(struct walk *w, LLVMValueRef value, int *budget)
{
    if (!LLVMIsAInstruction(value) || value == w->wait || !hd_ptrmap_get(&w->since, value) ||
        --*budget < 0)
        return false;
    if (LLVMIsALoadInst(value))
        return !is_private(LLVMGetOperand(value, 0));
    if (LLVMIsAAtomicCmpXchgInst(value) || LLVMIsAAtomicRMWInst(value))
        return true;
    if (hd_wait_call(value)) {
        LLVMValueRef callee = hd_plan_callee(value);
        return callee == NULL || !LLVMIsDeclaration(callee) || !is_quiet_name(name_of(callee));
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (read_since(w, LLVMGetOperand(value, (unsigned)i), budget))
            return true;
    return false;
}

/* Does a way lead back from the block to the wait on which nothing is done? */
static bool quiet_way_back(struct walk *w, LLVMBasicBlockRef block, struct hd_ptrmap *seen)
{
    if (*hd_ptrmap_put(seen, block))
        return false;
    *hd_ptrmap_put(seen, block) = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (i == w->wait)
            return true;
        if (!harmless(w, i))
            return false;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (quiet_way_back(w, LLVMGetSuccessor(end, i), seen))
            return true;
    return false;
}

/* Was a branch on the same condition on the way to the wait?  Then a thread that leaves the
 * loop here found something changed. */
static bool decided_before(struct walk *w, LLVMValueRef condition)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(w->home);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool branches = LLVMGetNumSuccessors(end) > 1 && !LLVMIsAInvokeInst(end);
        if (branches && b != w->home && comes_before(w, b) &&
            hd_wait_same_value(condition, LLVMGetOperand(end, 0), MOST_DEPTH))
            return true;
    }
    return false;
}

static bool leads_back(struct walk *w, LLVMBasicBlockRef block)
{
    if (block != w->home && comes_before(w, block))
        return true;
    if (!decided_before(w, LLVMGetOperand(LLVMGetBasicBlockTerminator(block), 0)))
        return false;
    struct hd_ptrmap seen;
    bool found = false;
    hd_ptrmap_init(&seen);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !found; i++)
        found = quiet_way_back(w, LLVMGetSuccessor(end, i), &seen);
    hd_ptrmap_release(&seen);
    return found;
}

static enum way follow(struct walk *w, LLVMValueRef inst);

static enum way follow_block(struct walk *w, LLVMBasicBlockRef block)
{
    uint64_t *seen = hd_ptrmap_put(&w->since, block);
    if (*seen)
        return CHECKED; /* what is found there counts once */
    *seen = 1;
    return follow(w, LLVMGetFirstInstruction(block));
}

static enum way follow_end(struct walk *w, LLVMValueRef end)
{
    int budget = MOST_OPERANDS, side = -1;
    if (LLVMIsAReturnInst(end))
        return RETURNS;
    if (LLVMIsAInvokeInst(end)) /* how an exception goes on is not looked at */
        return follow_block(w, LLVMGetNormalDest(end));
    bool branches = LLVMGetNumSuccessors(end) > 1;
    if (branches && LLVMIsABranchInst(end))
        side = hd_wait_woken(w->wait, w->zero, LLVMGetCondition(end));
    if (side >= 0)
        return follow_block(w, LLVMGetSuccessor(end, (unsigned)side));
    bool reads = branches && read_since(w, LLVMGetOperand(end, 0), &budget);
    if (reads && leads_back(w, LLVMGetInstructionParent(end)))
        return CHECKED;
    enum way worst = CHECKED;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (branches && !reads && LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(next)))
            continue; /* a call such as that of pthread_mutex_unlock() has failed */
        enum way way = follow_block(w, next);
        worst = way > worst ? way : worst;
    }
    return worst;
}

/* From the instruction to the end of its block, and on. */
static enum way follow(struct walk *w, LLVMValueRef inst)
{
    for (;; inst = LLVMGetNextInstruction(inst)) {
        if (inst == w->wait || !harmless(w, inst) || (hd_wait_call(inst) && never_returns(inst)))
            return ACTS;
        *hd_ptrmap_put(&w->since, inst) = 1;
        if (LLVMIsATerminatorInst(inst))
            return follow_end(w, inst);
    }
}

/* ---- all waits ---- */

static enum way after(LLVMValueRef wait, bool zero)
{
    struct walk w = { .wait = wait, .home = LLVMGetInstructionParent(wait), .zero = zero };
    hd_ptrmap_init(&w.since);
    hd_ptrmap_init(&w.before);
    enum way way = LLVMIsAInvokeInst(wait) ? follow_block(&w, LLVMGetNormalDest(wait))
                                           : follow(&w, LLVMGetNextInstruction(wait));
    LLVMValueRef function = LLVMGetBasicBlockParent(w.home);
    if (is_library(function)) { /* with a predicate it has a loop, without one it has none */
        struct hd_ptrmap seen;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w.home);
        hd_ptrmap_init(&seen);
        way = RETURNS;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (hd_wait_reaches(LLVMGetSuccessor(end, i), w.home, NULL, &seen))
                way = CHECKED;
        hd_ptrmap_release(&seen);
    } else if (way == CHECKED && hd_wait_turn_changes(wait, zero))
        way = ACTS;
    hd_ptrmap_release(&w.since);
    hd_ptrmap_release(&w.before);
    return way;
}

/* Does the function return what the wait returned? */
static bool hands_on(LLVMValueRef function, LLVMValueRef wait)
{
    if (is_library(function)) /* std::cv_status::no_timeout is 0 */
        return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsAReturnInst(end) &&
            (LLVMGetNumOperands(end) == 0 || LLVMGetOperand(end, 0) != wait))
            return false;
    }
    return true;
}

/* All uses are calls of it, and there is one. */
static bool only_called(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!hd_wait_call(LLVMGetUser(use)) || hd_plan_callee(LLVMGetUser(use)) != function)
            return false;
    return LLVMGetFirstUse(function) != NULL;
}

void hd_waits_mark_call(LLVMValueRef inst, const char *name)
{
    LLVMModuleRef module = LLVMGetGlobalParent(
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &i32, 1, 0);
    LLVMValueRef hook = LLVMGetNamedFunction(module, HOOK), site = LLVMConstInt(i32, 0, 0);
    if (hook == NULL)
        hook = LLVMAddFunction(module, HOOK, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, inst);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
    LLVMValueRef call = LLVMBuildCall2(builder, type, hook, &site, 1, "");
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)-1,
        LLVMCreateStringAttribute(context, NAME, sizeof NAME - 1, name, (unsigned)strlen(name)));
    LLVMDisposeBuilder(builder);
}

/* "std::condition_variable::wait" for a function of C++. */
static void mark(LLVMValueRef call)
{
    const char *symbol = name_of(hd_plan_callee(call));
    struct hd_str name;
    hd_str_init(&name);
    hd_demangle(&name, symbol, strlen(symbol));
    size_t n = strcspn(name.text, "(<"), first = n;
    while (first > 0 && name.text[first - 1] != ' ') /* there may be a type in front */
        first--;
    char *shown = hd_str_format("%.*s", (int)(n - first), name.text + first);
    hd_waits_mark_call(call, shown);
    free(shown);
    hd_str_release(&name);
}

/* By call: RELIES or FINE, and MARKED. */
enum { RELIES = 1, FINE = 2, MARKED = 4 };

static bool relies(LLVMValueRef call, bool zero, struct hd_ptrmap *known);

/* Marks those calls of the function that rely on a signal, where others do not or where the
 * function is the library's.  If all of them do, the wait itself is the better place. */
static bool callers_rely(LLVMValueRef function, bool zero, struct hd_ptrmap *known)
{
    bool all = !is_library(function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        all &= relies(LLVMGetUser(use), zero, known);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && !all; use = LLVMGetNextUse(use)) {
        uint64_t *of = hd_ptrmap_get(known, LLVMGetUser(use));
        if (*of == RELIES)
            mark(LLVMGetUser(use));
        *of |= MARKED;
    }
    return all;
}

/* Does the program take the end of the wait for a signal?  `call` is the wait, or the call of a
 * function that has just waited when it returns. */
static bool relies(LLVMValueRef call, bool zero, struct hd_ptrmap *known)
{
    uint64_t *of = hd_ptrmap_put(known, call);
    if (*of)
        return *of & RELIES;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    /* libstdc++'s futures look at their word again */
    bool future = hd_str_starts(name_of(function), "_ZNSt28__atomic_futex_unsigned_base");
    *of = future ? FINE : RELIES; /* what it is in a recursion */
    if (future)
        return false;
    enum way way = after(call, zero);
    bool so = way != CHECKED;
    if (way == RETURNS && only_called(function))
        so = callers_rely(function, hands_on(function, call), known);
    *hd_ptrmap_put(known, call) = so ? RELIES : FINE;
    return so;
}

void hd_waits_mark(LLVMModuleRef module)
{
    struct hd_ptrmap known;
    hd_ptrmap_init(&known);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !hd_waits_named(name_of(f)))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (hd_wait_call(call) && hd_plan_callee(call) == f && relies(call, true, &known))
                mark(call);
        }
    }
    hd_ptrmap_release(&known);
}

bool hd_waits_settle(struct hd_pass *p, LLVMValueRef call, const char *callee)
{
    if (strcmp(callee, HOOK) != 0)
        return false;
    LLVMAttributeRef name = LLVMGetCallSiteStringAttribute(call, (LLVMAttributeIndex)-1, NAME,
                                                           sizeof NAME - 1);
    unsigned n = 0;
    const char *text = name ? LLVMGetStringAttributeValue(name, &n) : "";
    char *copy = hd_str_format("%.*s", (int)n, text);
    LLVMSetOperand(call, 0, hd_note_site(p, call, copy));
    free(copy);
    return true;
}
