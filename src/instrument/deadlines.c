/* Where readings of the clock flow.
 *
 * Followed from the calls that read it: through computation, variables of functions (stack
 * slots whose address goes nowhere else), arguments, results, and branches that decide nothing
 * but what such a variable holds (a carry from nanoseconds to seconds).  If all of it ends in
 * the deadline of a timed wait or in the length of a sleep, no behaviour depends on the time.
 * Then the runtime stops the clock, and a loop that polls returns to its state.
 *
 * A deadline whose nanoseconds are no number of them is refused, so it matters what they are: a
 * function that computes them must carry.  Anything else counts as a use of the time. */
#include "instrument/deadlines.h"

#include "analyse/fits.h"
#include "base/str.h"
#include "instrument/plan.h"

#include <string.h>
#include <sys/syscall.h>

enum { MOST_FOLLOWED = 16384, MOST_DEPTH = 1000 };

struct search {
    LLVMValueRef values[MOST_FOLLOWED];  /* that hold the time, or what was computed from it */
    LLVMValueRef objects[MOST_FOLLOWED]; /* pointers to memory that does */
    LLVMValueRef sets[MOST_FOLLOWED];    /* functions that set nanoseconds */
    LLVMValueRef
        carries[MOST_FOLLOWED]; /* functions that compare with a second or divide by it */
    unsigned n_values, n_objects, n_sets, n_carries;
    unsigned depth;
    bool looked_at;
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static void value_found(struct search *s, LLVMValueRef value);
static void object_found(struct search *s, LLVMValueRef pointer);

static bool known(LLVMValueRef *list, unsigned *n, LLVMValueRef value)
{
    for (unsigned i = 0; i < *n; i++)
        if (list[i] == value)
            return true;
    if (*n < MOST_FOLLOWED)
        list[(*n)++] = value;
    return false;
}

/* Calls that take a deadline or a length, and which argument that is. */
static const struct {
    const char *name;
    unsigned argument;
} takers[] = {
    { "pthread_cond_timedwait", 2 },
    { "pthread_cond_clockwait", 3 },
    { "pthread_mutex_timedlock", 1 },
    { "pthread_mutex_clocklock", 2 },
    { "pthread_rwlock_timedrdlock", 1 },
    { "pthread_rwlock_timedwrlock", 1 },
    { "pthread_rwlock_clockrdlock", 2 },
    { "pthread_rwlock_clockwrlock", 2 },
    { "pthread_timedjoin_np", 2 },
    { "pthread_clockjoin_np", 3 },
    { "sem_timedwait", 1 },
    { "sem_clockwait", 2 },
    { "cnd_timedwait", 2 },
    { "mtx_timedlock", 1 },
    { "usleep", 0 },
    { "sleep", 0 },
    { "clock_gettime", 1 },
    { "timespec_get", 0 },
    { "gettimeofday", 0 },
    { "time", 0 },
};

static bool takes(LLVMValueRef callee, unsigned argument)
{
    const char *name = name_of(callee);
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        if (strcmp(name, takers[i].name) == 0)
            return LLVMIsDeclaration(callee) && takers[i].argument == argument;
    return hd_str_starts(name, "llvm.dbg.") || hd_str_starts(name, "llvm.lifetime.");
}

/* The variable, or the parameter, that the pointer points into. */
static LLVMValueRef root_of(LLVMValueRef pointer)
{
    for (int i = 0; i < 32; i++) {
        if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
            pointer = LLVMGetOperand(pointer, 0);
        else
            break;
    }
    return pointer;
}

static LLVMValueRef function_of(LLVMValueRef inst)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

/* Does the pointer lead to the second field of a structure? */
static bool second_field(LLVMValueRef pointer)
{
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) < 2)
        return false;
    LLVMValueRef last = LLVMGetOperand(pointer, (unsigned)LLVMGetNumOperands(pointer) - 1);
    return !LLVMIsAConstantInt(last) || LLVMConstIntGetZExtValue(last) != 0;
}

/* The time is put where the pointer points. */
static void stored_at(struct search *s, LLVMValueRef pointer)
{
    LLVMValueRef root = root_of(pointer);
    if (second_field(pointer))
        known(s->sets, &s->n_sets, function_of(pointer));
    if (LLVMIsAAllocaInst(root) || LLVMIsAArgument(root))
        object_found(s, root);
    else
        s->looked_at = true;
}

/* What is done with argument i of the call, which holds the time or points to it. */
static void passed(struct search *s, LLVMValueRef call, unsigned i, bool pointer)
{
    LLVMValueRef callee = hd_plan_callee(call);
    if (callee == NULL || i >= LLVMGetNumArgOperands(call)) {
        s->looked_at = true;
        return;
    }
    const char *name = name_of(callee);
    if (pointer && (hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove"))) {
        if (i == 1)
            stored_at(s, LLVMGetOperand(call, 0));
        return;
    }
    if (takes(callee, i) || (pointer && hd_str_starts(name, "llvm.memset")))
        return;
    if (LLVMIsDeclaration(callee) || i >= LLVMCountParams(callee))
        s->looked_at = true;
    else if (pointer)
        object_found(s, LLVMGetParam(callee, i));
    else
        value_found(s, LLVMGetParam(callee, i));
}

static unsigned operand_of(LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use), used = LLVMGetUsedValue(use);
    unsigned n = (unsigned)LLVMGetNumOperands(user), i = 0;
    while (i < n && LLVMGetOperandUse(user, i) != use)
        i++;
    return LLVMGetOperand(user, i) == used ? i : n;
}

/* Every call of the function, which is called and nothing else. */
static void at_calls(struct search *s, LLVMValueRef function,
                     void (*do_it)(struct search *s, LLVMValueRef call, unsigned n), unsigned n)
{
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool calls = (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) &&
                     LLVMGetCalledValue(call) == function;
        if (!calls || operand_of(u) < LLVMGetNumArgOperands(call)) {
            s->looked_at = true;
            return;
        }
        do_it(s, call, n);
    }
}

static void result_at(struct search *s, LLVMValueRef call, unsigned unused)
{
    (void)unused;
    value_found(s, call);
}

static void argument_at(struct search *s, LLVMValueRef call, unsigned n)
{
    if (n < LLVMGetNumArgOperands(call))
        stored_at(s, LLVMGetOperand(call, n));
    else
        s->looked_at = true;
}

/* Only computation, and stores into variables; they hold what the time decided then. */
static bool only_sets(struct search *s, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMCall:
            if (hd_plan_callee(i) == NULL || !takes(hd_plan_callee(i), ~0u))
                return false;
            break;
        case LLVMInvoke:
        case LLVMCallBr:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
        case LLVMFence:
        case LLVMRet:
        case LLVMResume:
        case LLVMUnreachable:
        case LLVMSwitch:
        case LLVMIndirectBr:
            return false;
        case LLVMStore:
            stored_at(s, LLVMGetOperand(i, 1));
            break;
        default:
            break;
        }
    }
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) == 1;
}

/* The time decides a branch.  Do its paths meet at once, having set nothing but variables? */
static void branched(struct search *s, LLVMValueRef branch)
{
    LLVMBasicBlockRef way[2], meet[2], from = LLVMGetInstructionParent(branch);
    if (LLVMGetNumSuccessors(branch) != 2) {
        s->looked_at = true;
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        meet[i] = way[i] = LLVMGetSuccessor(branch, i);
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef other = way[1 - i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(way[i]);
        if (way[i] == from || LLVMGetNumSuccessors(end) != 1)
            continue;
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
        LLVMValueRef other_end = LLVMGetBasicBlockTerminator(other);
        bool beside = LLVMGetNumSuccessors(other_end) == 1 &&
                      LLVMGetSuccessor(other_end, 0) == next;
        if ((next == other || beside) && only_sets(s, way[i]))
            meet[i] = next;
    }
    if (meet[0] != meet[1]) {
        s->looked_at = true;
        return;
    }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(meet[0]); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
        value_found(s, phi);
}

static bool is_second(LLVMValueRef value)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    unsigned long long n = LLVMConstIntGetZExtValue(value);
    return n == 1000000000 || n == 999999999 || n == 1000000 || n == 999999;
}

static void used_value(struct search *s, LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
        s->looked_at = true;
        return;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(user);
    unsigned i = operand_of(use);
    bool divides = op == LLVMSRem || op == LLVMURem || op == LLVMICmp;
    if (divides && is_second(LLVMGetOperand(user, 1)))
        known(s->carries, &s->n_carries, function_of(user));
    if ((op >= LLVMAdd && op <= LLVMXor) || (op >= LLVMTrunc && op <= LLVMSIToFP) ||
        op == LLVMFPTrunc || op == LLVMFPExt || op == LLVMICmp || op == LLVMFCmp ||
        op == LLVMPHI || op == LLVMSelect || op == LLVMFreeze || op == LLVMInsertValue ||
        op == LLVMExtractValue)
        value_found(s, user);
    else if (op == LLVMStore && i == 0)
        stored_at(s, LLVMGetOperand(user, 1));
    else if (op == LLVMCall || op == LLVMInvoke)
        passed(s, user, i, false);
    else if (op == LLVMRet)
        at_calls(s, function_of(user), result_at, 0);
    else if (op == LLVMBr)
        branched(s, user);
    else
        s->looked_at = true;
}

static void value_found(struct search *s, LLVMValueRef value)
{
    if (s->looked_at || known(s->values, &s->n_values, value))
        return;
    s->looked_at = s->n_values == MOST_FOLLOWED || ++s->depth > MOST_DEPTH ||
                   LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u && !s->looked_at; u = LLVMGetNextUse(u))
        used_value(s, u);
    s->depth--;
}

static void used_object(struct search *s, LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
        s->looked_at = true;
        return;
    }
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
        object_found(s, user);
        break;
    case LLVMLoad:
        value_found(s, user);
        break;
    case LLVMStore:
        s->looked_at |= operand_of(use) == 0;
        break;
    case LLVMICmp: /* with NULL */
        break;
    case LLVMCall:
    case LLVMInvoke:
        passed(s, user, operand_of(use), true);
        break;
    default:
        s->looked_at = true;
    }
}

static void object_found(struct search *s, LLVMValueRef pointer)
{
    if (s->looked_at || known(s->objects, &s->n_objects, pointer))
        return;
    s->looked_at = s->n_objects == MOST_FOLLOWED || ++s->depth > MOST_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u && !s->looked_at; u = LLVMGetNextUse(u))
        used_object(s, u);
    if (LLVMIsAArgument(pointer) && !s->looked_at) { /* it is the callers' */
        LLVMValueRef function = LLVMGetParamParent(pointer);
        unsigned n = 0;
        while (LLVMGetParam(function, n) != pointer)
            n++;
        at_calls(s, function, argument_at, n);
    }
    s->depth--;
}

static void reading_at(struct search *s, LLVMValueRef call, unsigned n)
{
    if (n == ~0u) /* the result, and what the argument points to */
        value_found(s, call);
    LLVMValueRef at = LLVMGetOperand(call, n == ~0u ? 0 : n);
    if (!LLVMIsAConstantPointerNull(at))
        stored_at(s, at);
}

/* Nanoseconds that are set and not carried may come to more than a second. */
static bool overflows(const struct search *s)
{
    for (unsigned i = 0; i < s->n_sets; i++) {
        const char *name = name_of(s->sets[i]);
        bool carried = hd_str_starts(name, "_ZNSt") || hd_str_starts(name, "_ZSt");
        for (unsigned k = 0; k < s->n_carries; k++)
            carried |= s->carries[k] == s->sets[i];
        if (!carried)
            return true;
    }
    return false;
}

/* A system call may be a reading of the clock. */
static void system_at(struct search *s, LLVMValueRef call, unsigned unused)
{
    (void)unused;
    LLVMValueRef number = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(number) || LLVMConstIntGetZExtValue(number) != SYS_futex)
        s->looked_at = true;
}

static const char *const cxx_clocks[] = { "_ZNSt6chrono3_V212steady_clock3nowEv",
                                          "_ZNSt6chrono3_V212system_clock3nowEv" };

static bool is_cxx_clock(const char *name)
{
    return strcmp(name, cxx_clocks[0]) == 0 || strcmp(name, cxx_clocks[1]) == 0;
}

/* libstdc++'s wait_for and wait_until read the clock to make a deadline of a length.  Behind
 * the wait they compare: hd_deadlines_compare. */
static void cxx_reading_at(struct search *s, LLVMValueRef call, unsigned unused)
{
    (void)unused;
    const char *in = name_of(function_of(call));
    if (!hd_str_starts(in, "_ZNSt18condition_variable") &&
        !hd_str_starts(in, "_ZNSt18__timed_mutex_impl"))
        value_found(s, call);
}

void hd_deadlines_compare(LLVMModuleRef module, LLVMValueRef instead)
{
    for (size_t i = 0; i < sizeof cxx_clocks / sizeof cxx_clocks[0]; i++) {
        LLVMValueRef clock = LLVMGetNamedFunction(module, cxx_clocks[i]);
        for (LLVMUseRef u = clock ? LLVMGetFirstUse(clock) : NULL, next; u; u = next) {
            LLVMValueRef call = LLVMGetUser(u);
            next = LLVMGetNextUse(u);
            if (LLVMIsAInstruction(call) &&
                hd_str_starts(name_of(function_of(call)),
                              "_ZNSt18condition_variable17__wait_until_impl"))
                LLVMSetOperand(call, operand_of(u), instead);
        }
    }
}

bool hd_deadlines_looked_at(LLVMModuleRef module)
{
    static const struct {
        const char *name;
        unsigned argument;
    } clocks[] = {
        { "clock_gettime", 1 }, { "timespec_get", 0 }, { "gettimeofday", 0 }, { "time", ~0u }
    };
    static const char *const others[] = { "clock", "ftime", "times" };
    struct search s = { .looked_at = false };
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = hd_fits_name(name_of(f));
        bool fits = LLVMIsDeclaration(f) && name == name_of(f);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            s.looked_at |= strcmp(name, others[i]) == 0;
        if (is_cxx_clock(name))
            at_calls(&s, f, cxx_reading_at, 0);
        else
            s.looked_at |= LLVMIsDeclaration(f) && strstr(name, "chrono") != NULL;
        if (strcmp(name, "syscall") == 0 && fits)
            at_calls(&s, f, system_at, 0);
        else
            s.looked_at |= strcmp(name, "syscall") == 0;
        for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
            if (strcmp(name, clocks[i].name) == 0 && fits)
                at_calls(&s, f, reading_at, clocks[i].argument);
            else
                s.looked_at |= strcmp(name, clocks[i].name) == 0;
    }
    return s.looked_at || overflows(&s);
}
