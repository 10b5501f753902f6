/* A violation: describe it and end the execution. */
#include "core/abi.h"
#include "core/dependence.h"
#include "core/sandbox.h"
#include "runtime/format.h"
#include "runtime/heap.h"
#include "runtime/invariant.h"
#include "runtime/memory.h"
#include "runtime/zones.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int real_sigaction(int sig, const struct sigaction *now, struct sigaction *before)
{
    return ((int (*)(int, const struct sigaction *, struct sigaction *))(uintptr_t)hd_real(
        "sigaction"))(sig, now, before);
}

/* Die of the signal, through the kernel: signal() here is the program's. */
static _Noreturn void die_of(int sig)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    real_sigaction(sig, &sa, NULL);
    hd_syscall(SYS_tgkill, getpid(), hd_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), sig, 0, 0, 0);
    hd_syscall(SYS_exit_group, 128 + sig, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* The program may have given up because memory was refused that a native run would get. */
static void blame_room(struct hd_finding *f)
{
    uint64_t site = 0;
    size_t used = strlen(f->message);
    for (uint32_t t = 0; t < HD_MAX_THREADS && !site; t++)
        site = model->telling[t].no_room;
    bool gives_up = f->kind == HD_KIND_ABORT || f->kind == HD_KIND_ASSERTION ||
                    f->kind == HD_KIND_CRASH;
    if (!gives_up || !site)
        return;
    char place[300];
    hd_site_text((uint32_t)site, place, sizeof place);
    snprintf(f->message + used, sizeof f->message - used,
             "; before it, heddle's heap had no room for the allocation at %s, which might "
             "succeed natively",
             place);
}

void hd_violation_raise(struct hd_finding *f)
{
    blame_room(f);
    f->thread = rt->cur;
    f->stack = hd_stack_keep_running(f->site);
    hd_invariant_over(); /* the violation may be in the invariant */
    rt->judging = 0;     /* or in what is asked at a deadlock */
    if (rt->mode == HD_PLAIN) {
        hd_say("heddle: %s: %s\n", hd_kind_text((enum hd_kind)f->kind), f->message);
        die_of(SIGABRT);
    }
    hd_engine_ended(f);
}

void hd_violation(enum hd_kind kind, uint32_t site, const char *fmt, ...)
{
    struct hd_finding f = { .kind = kind, .site = site };
    va_list args;
    va_start(args, fmt);
    hd_vsnprintf(f.message, sizeof f.message, fmt, args);
    va_end(args);
    hd_violation_raise(&f);
}

void hd_violation_block(const struct hd_block *b, uint32_t site, const char *fmt, ...)
{
    struct hd_finding f = { .kind = HD_KIND_MEMORY, .site = site };
    va_list args;
    va_start(args, fmt);
    hd_vsnprintf(f.message, sizeof f.message, fmt, args);
    va_end(args);
    f.origins[f.n_origins++] = (struct hd_origin){ HD_ORIGIN_MADE, b->thread, b->site, 0 };
    if (b->state == HD_BLOCK_FREED)
        f.origins[f.n_origins++] = (struct hd_origin){ HD_ORIGIN_FREED, b->freed_by, b->freed_at,
                                                       0 };
    hd_violation_raise(&f);
}

void __heddle_shown(uint64_t value, uint32_t index, uint32_t size, uint32_t site)
{
    if (index >= HD_MAX_SHOWN)
        return;
    rt->shown[index] = (struct hd_shown){ site, size, value };
    rt->n_shown = index + 1;
}

void __heddle_shown_pointer(const void *value, uint32_t index, uint32_t size, uint32_t site)
{
    __heddle_shown((uint64_t)(uintptr_t)value, index, size, site);
}

void hd_violation_at(uint32_t call, const char *file, uint32_t line, const char *function,
                     const char *fmt, ...)
{
    struct hd_finding f = { .kind = HD_KIND_ASSERTION, .line = line, .call = call };
    f.n_shown = rt->n_shown;
    memcpy(f.shown, rt->shown, sizeof f.shown);
    rt->n_shown = 0;
    snprintf(f.file, sizeof f.file, "%s", file ? file : "");
    snprintf(f.function, sizeof f.function, "%s", function ? function : "");
    va_list args;
    va_start(args, fmt);
    hd_vsnprintf(f.message, sizeof f.message, fmt, args);
    va_end(args);
    hd_violation_raise(&f);
}

struct hd_name hd_name_of(uint64_t addr, enum hd_space space, enum hd_op op)
{
    struct hd_name name = { .where = HD_WHERE_OTHER, .offset = addr };
    if (space == HD_SPACE_NONE || (space == HD_SPACE_MEM && addr == 0 && op == HD_OP_NONE))
        return (struct hd_name){ 0 };
    if (space == HD_SPACE_THREAD)
        return (struct hd_name){ .where = HD_WHERE_THREAD, .thread = (uint32_t)addr };
    if (addr == (uint64_t)(uintptr_t)&model->clock_ns)
        return (struct hd_name){ .where = HD_WHERE_CLOCK };
    if (addr == (uint64_t)(uintptr_t)&model->random)
        return (struct hd_name){ .where = HD_WHERE_RANDOM };
    if (addr == (uint64_t)(uintptr_t)&model->fds.input ||
        addr - (uint64_t)(uintptr_t)stdin < sizeof *stdin)
        return (struct hd_name){ .where = HD_WHERE_STDIN };
    if (addr == (uint64_t)(uintptr_t)&model->signals || /* the operation says enough */
        addr == (uint64_t)(uintptr_t)&model->fds || addr == (uint64_t)(uintptr_t)&model->keys ||
        addr - (uint64_t)(uintptr_t)model->threads < sizeof model->threads ||
        addr - (uint64_t)(uintptr_t)model->streams < sizeof model->streams ||
        addr - (uint64_t)(uintptr_t)&model->reuse < sizeof model->reuse)
        return (struct hd_name){ 0 };
    if (addr == (uint64_t)(uintptr_t)&model->outside ||
        addr == (uint64_t)(uintptr_t)&model->exiting)
        return (struct hd_name){ .where = HD_WHERE_OUTSIDE };
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        int64_t off = (int64_t)(addr - rt->fibers[i].fs_base);
        if (rt->fibers[i].fs_base && off >= rt->tls_begin && off < rt->tls_end)
            return (
                struct hd_name){ .where = HD_WHERE_TLS, .thread = i, .offset = (uint64_t)-off };
    }
    uint64_t slot = (addr - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (addr >= HD_STACK_BASE && slot < HD_MAX_THREADS) {
        name = (struct hd_name){ .where = HD_WHERE_STACK,
                                 .thread = (uint32_t)slot,
                                 .offset = rt->fibers[slot].top - addr };
        hd_zones_local(addr, &name.made, &name.extent);
        return name;
    }
    if (hd_heap_name(addr, &name))
        return name;
    extern const char __executable_start[], _end[];
    if (addr >= (uint64_t)(uintptr_t)__executable_start && addr < (uint64_t)(uintptr_t)_end)
        return (struct hd_name){ .where = HD_WHERE_GLOBAL, .offset = addr - rt->load_base };
    return name;
}

void hd_violation_standing(struct hd_finding *f, uint32_t thread)
{
    if (f->n_standings == sizeof f->standings / sizeof f->standings[0])
        return;
    const struct hd_action *a = &rt->next[thread];
    struct hd_standing *s = &f->standings[f->n_standings++];
    enum hd_space space = hd_op_table[a->op].space;
    *s = (struct hd_standing){ .thread = thread,
                               .op = a->op,
                               .enabled = hd_tset_has(&rt->config.enabled, thread),
                               .site = a->site,
                               .stack = hd_stack_keep(thread),
                               .owner = ~0u };
    if (a->op == HD_OP_BLOCKED)
        space = HD_SPACE_SYNC;
    s->object = hd_name_of(a->object, space, (enum hd_op)a->op);
    const struct hd_sync *m = space == HD_SPACE_SYNC ? hd_sync_find(a->object) : NULL;
    if (m && m->owner != HD_NOBODY) {
        s->owner = m->owner;
        s->owner_site = m->site;
    }
    if (a->op == HD_OP_JOIN)
        s->owner = (uint32_t)a->object;
    if (m && m->kind == HD_SYNC_BARRIER)
        s->op = HD_OP_LEAVE; /* what it waits for */
    if (m && m->kind == HD_SYNC_FUTEX && a->op == HD_OP_BLOCKED)
        s->op = HD_OP_FUTEX_WOKEN;
    const struct hd_thread *t = &model->threads[thread];
    if (m && m->kind == HD_SYNC_BELL && (t->awaited_signals || t->suspended)) {
        s->op = HD_OP_SIGNAL_TAKE;
        s->object = (struct hd_name){ 0 };
    }
}

bool hd_violation_race(uint32_t first, uint32_t second, struct hd_finding *f)
{
    uint32_t threads[2] = { first, second };
    uint64_t at[2];
    struct hd_action a[2];
    for (int i = 0; i < 2; i++) {
        if (threads[i] >= rt->config.n_threads || !hd_tset_has(&rt->config.enabled, threads[i]))
            return false;
        a[i] = rt->next[threads[i]];
        a[i].op = (uint8_t)hd_fiber_world.outcome(NULL, threads[i]);
    }
    if (first == second || !hd_action_race(&a[0], &a[1], at))
        return false;
    *f = (struct hd_finding){ .kind = HD_KIND_DATA_RACE, .thread = first, .site = a[0].site };
    for (int i = 0; i < 2; i++) {
        hd_violation_standing(f, threads[i]);
        f->standings[i].object = hd_name_of(at[i], HD_SPACE_MEM, (enum hd_op)a[i].op);
    }
    f->stack = f->standings[0].stack;
    return true;
}

static void describe_partial(struct hd_finding *f)
{
    uint32_t threads[HD_MAX_THREADS];
    uint32_t n = hd_wait_cycle(&hd_fiber_world, f->thread, threads);
    bool circle = n > 0;
    struct hd_tset stuck;
    if (!circle)
        hd_stuck_threads(&hd_fiber_world, &stuck);
    for (uint32_t i = 0; !circle && i < rt->config.n_threads; i++)
        if (hd_tset_has(&stuck, i))
            threads[n++] = i;
    for (uint32_t i = 0; i < n; i++)
        hd_violation_standing(f, threads[i]);
    f->thread = f->standings[0].thread;
    f->site = f->standings[0].site;
    f->stack = f->standings[0].stack;
    if (circle)
        snprintf(f->message, sizeof f->message,
                 "%u threads wait for each other for ever while others go on", n);
    else
        snprintf(f->message, sizeof f->message,
                 "%u thread%s wait%s for ever while others go on: nobody is left to wake %s", n,
                 n == 1 ? "" : "s", n == 1 ? "s" : "", n == 1 ? "it" : "them");
}

bool hd_violation_partial(uint32_t thread, struct hd_finding *f)
{
    struct hd_tset stuck;
    if (!hd_wait_cycle(&hd_fiber_world, thread, NULL)) {
        hd_stuck_threads(&hd_fiber_world, &stuck);
        if (!hd_tset_has(&stuck, thread))
            return false;
    }
    *f = (struct hd_finding){ .kind = HD_KIND_DEADLOCK, .thread = thread, .partial = 1 };
    describe_partial(f);
    return true;
}

static void describe_target(struct hd_finding *f)
{
    const struct hd_route *g = &rt->shared->route;
    uint32_t chosen[HD_MAX_PLACES] = { 0 };
    size_t used = (size_t)snprintf(f->message, sizeof f->message,
                                   "target%s reached:", g->n_targets == 1 ? "" : "s");
    f->line = 0;
    hd_target_reached(chosen);
    for (uint32_t i = 0; i < g->n_targets; i++) {
        hd_violation_standing(f, chosen[i]);
        if (used < sizeof f->message)
            used += (size_t)snprintf(f->message + used, sizeof f->message - used, "%s %s",
                                     i ? "," : "", g->names[i]);
    }
    f->thread = f->standings[0].thread;
    f->site = f->standings[0].site;
    f->stack = f->standings[0].stack;
}

/* The first thread that spins, and where. */
static void describe_spinning(struct hd_finding *f)
{
    uint32_t t = 0;
    while (t + 1 < rt->config.n_threads &&
           !(hd_tset_has(&rt->config.live, t) && rt->next[t].op == HD_OP_SPIN))
        t++;
    f->thread = t;
    f->site = rt->next[t].site;
    f->stack = hd_stack_keep(t);
    snprintf(f->message, sizeof f->message, "%s", HD_SPINS);
}

void hd_violation_describe(void *self, struct hd_finding *f)
{
    (void)self;
    if (f->kind == HD_KIND_TARGET) {
        describe_target(f);
        return;
    }
    if (f->partial) {
        describe_partial(f);
        return;
    }
    if (f->kind == HD_KIND_NO_PROGRESS) {
        describe_spinning(f);
        return;
    }
    f->thread = rt->cur;
    if (f->kind == HD_KIND_INVARIANT) {
        const struct hd_options *opt = &rt->shared->options;
        uint32_t which = f->line;
        f->line = 0;
        f->pc = which < HD_MAX_INVARIANTS
                    ? opt->invariants[which].address
                    : (uint64_t)(uintptr_t)model->registered[which - HD_MAX_INVARIANTS] -
                          rt->load_base;
        snprintf(f->message, sizeof f->message, "%s",
                 which < HD_MAX_INVARIANTS ? opt->invariants[which].name : "");
        return;
    }
    uint32_t stuck = 0;
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&rt->config.live, i)) {
            hd_violation_standing(f, i);
            stuck++;
        }
    f->thread = f->n_standings ? f->standings[0].thread : 0;
    f->site = f->n_standings ? f->standings[0].site : 0;
    f->stack = f->n_standings ? f->standings[0].stack : 0;
    snprintf(f->message, sizeof f->message, "%u thread%s wait%s for ever", stuck,
             stuck == 1 ? "" : "s", stuck == 1 ? "s" : "");
}

void __heddle_unreachable(uint32_t site)
{
    hd_violation(HD_KIND_CRASH, site,
                 "undefined behaviour: control reaches the end of a function that must return a "
                 "value, or __builtin_unreachable()");
}

/* Is it the trap that stands for code which the compiler took for unreachable? */
static bool is_unreachable_trap(int sig, const ucontext_t *uc)
{
    const uint8_t *pc = (const uint8_t *)uc->uc_mcontext.gregs[REG_RIP]; /* ud1 n(%eax), %eax */
    return sig == SIGILL && pc[0] == 0x67 && pc[1] == 0x0f && pc[2] == 0xb9 && pc[3] == 0x40 &&
           pc[4] == HD_TRAP_UNREACHABLE;
}

static const char *signal_word(int sig)
{
    switch (sig) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic fault (division by zero)";
    case SIGILL:
        return "illegal instruction";
    case SIGTRAP:
        return "trap";
    default:
        return "abort";
    }
}

static bool in_guard(uint64_t addr)
{
    uint64_t slot = (addr - HD_STACK_BASE) / HD_STACK_STRIDE;
    uint64_t offset = (addr - HD_STACK_BASE) % HD_STACK_STRIDE;
    return addr >= HD_STACK_BASE && slot < HD_MAX_THREADS &&
           offset < HD_STACK_STRIDE - rt->fibers[slot].bytes;
}

/* A handler that returns to the fault, or causes one itself, would be called for ever. */
#define MOST_CAUGHT 200

/* A handler of the program's own takes the signal as the kernel would deliver it: on the stack
 * of the thread, below its red zone. */
static bool deliver_to_program(int sig, ucontext_t *uc)
{
    void (*handler)(int) = model->signals.dispositions[sig].handler;
    if (handler == SIG_DFL || handler == SIG_IGN || model->n_caught == MOST_CAUGHT)
        return false;
    HD_SET(model->n_caught, model->n_caught + 1);
    uint64_t sp = ((uint64_t)uc->uc_mcontext.gregs[REG_RSP] - 128) & ~15ull;
    sp -= 8;
    *(uint64_t *)sp = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
    uc->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
    uc->uc_mcontext.gregs[REG_RDI] = sig;
    uc->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)handler;
    return true;
}

/* Is the fault that of the memory which the running thread's action names? */
static bool is_access_of_action(uint64_t addr)
{
    const struct hd_action *a = hd_next_now();
    return a->site && (addr - a->object < a->size || (a->object2 && addr - a->object2 < a->size));
}

extern const char hd_probe_failed[];

/* Was it a test whether the memory exists? */
static bool is_probe(ucontext_t *uc)
{
    uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
    if (pc < (uint64_t)(uintptr_t)hd_probe || pc >= (uint64_t)(uintptr_t)hd_probe_failed)
        return false;
    uc->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)hd_probe_failed;
    return true;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    if ((sig == SIGSEGV || sig == SIGBUS) && is_probe(uc))
        return;
    uint64_t addr = (uint64_t)(uintptr_t)info->si_addr;
    if (sig == SIGSEGV && info->si_code == SI_KERNEL && hd_next_now()->object >> 47)
        addr = hd_next_now()->object; /* no address at all: the processor does not tell it */
    bool overflow = (sig == SIGSEGV || sig == SIGBUS) && in_guard(addr);
    if (!overflow && deliver_to_program(sig, uc))
        return;
    struct hd_finding *f = &rt->shared->died;
    memset(f, 0, sizeof *f);
    f->kind = sig == SIGABRT ? HD_KIND_ABORT : HD_KIND_CRASH;
    f->thread = rt->cur;
    f->site = is_access_of_action(addr) || !hd_site_now() ? hd_next_now()->site : hd_site_now();
    f->stack = hd_stack_keep_running(f->site);
    f->pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP] - rt->load_base;
    extern const char __executable_start[], _etext[];
    uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
    if (pc < (uint64_t)(uintptr_t)__executable_start || pc >= (uint64_t)(uintptr_t)_etext ||
        is_access_of_action(addr))
        f->pc =
            0; /* the site says it better: where in the runtime the access is made is no user's
                      business, and differs between exploring and replaying */
    if (overflow)
        snprintf(f->message, sizeof f->message, "stack overflow");
    else if (sig == SIGSEGV || sig == SIGBUS)
        snprintf(f->message, sizeof f->message, "%s at address %#llx", signal_word(sig),
                 (unsigned long long)addr);
    else if (is_unreachable_trap(sig, uc))
        snprintf(f->message, sizeof f->message,
                 "undefined behaviour: the compiler took this place for unreachable");
    else
        snprintf(f->message, sizeof f->message, "%s", signal_word(sig));
    bool own = (sig == SIGSEGV || sig == SIGBUS) && addr >= HD_OWN_BEGIN && addr < HD_OWN_END;
    if (own && addr - HD_TOOL_BASE < offsetof(struct hd_worker_memory, ctl)) {
        /* no code of heddle writes there */
        f->kind = HD_KIND_MEMORY;
        snprintf(f->message, sizeof f->message,
                 "wild write to %#llx, which is memory of heddle itself (prevented)",
                 (unsigned long long)addr);
        own = false;
    }
    if (!own)
        rt->shared->died_valid = 1;
    die_of(sig);
}

/* The filter of system calls has refused one (core/sandbox.h): an error; the supervisor finds
 * its line. */
static void on_refused(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    const char *name = hd_sandbox_name(info->si_syscall);
    (void)sig;
    /* after the instruction */
    rt->shared->ctl.error_pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP] - 1 - rt->load_base;
    rt->shared->ctl.error_site = __heddle_call_site ? __heddle_call_site : hd_next_now()->site;
    hd_fatal("system call %d%s%s%s reaches outside of the program: heddle does not let it",
             info->si_syscall, name ? " (" : "", name ? name : "", name ? ")" : "");
}

void hd_violation_install_handlers(void)
{
    size_t bytes = 256 << 10;
    stack_t stack = { .ss_size = bytes };
    stack.ss_sp = hd_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        hd_fatal("cannot prepare a stack for signals");
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT };
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction sa = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
        sa.sa_sigaction = on_fault;
        real_sigaction(signals[i], &sa, NULL);
    }
    struct sigaction refused = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
    refused.sa_sigaction = on_refused;
    real_sigaction(SIGSYS, &refused, NULL);
}
