/* The order of the work:
 *
 *   0. fit       calls of library functions that do not fit them become calls of unknown
 *                functions (analyse/fits.h)
 *   1. names     while every variable still is a stack slot (names.c); functions that are
 *                atomic sections by their name say so (sections.c)
 *   2. library   constructors become part of main (constructors.c); small functions of C++'s
 *                headers go into their callers (cxx.c), and so do functions in which a loop
 *                looks or tries (looks.c)
 *   3. promote   locals whose address is not taken, and nothing else: an optimisation here
 *                could merge or drop an access that the source makes
 *   4. copy      the module as it is now becomes the section heddle_module; its hash is the
 *                build id
 *   5. analyse   the whole program: what two threads may touch (analyse/facts.h)
 *   6. plan      (plan.c) and rewrite, one function after the other
 *   7. main      is renamed
 *   8. tables    sites, strings, info
 *   9. verify, optimise */
#include "instrument/instrument.h"

#include "analyse/alike.h"
#include "analyse/facts.h"
#include "analyse/fits.h"
#include "analyse/tails.h"
#include "analyse/wakers.h"
#include "base/hash.h"
#include "base/progress.h"
#include "compile/bitcode.h"
#include "compile/emit.h"
#include "core/abi.h"
#include "core/filters.h"
#include "core/searches.h"
#include "instrument/addresses.h"
#include "instrument/assembly.h"
#include "instrument/atomic.h"
#include "instrument/await.h"
#include "instrument/bounds.h"
#include "instrument/calls.h"
#include "instrument/compares.h"
#include "instrument/constructors.h"
#include "instrument/cxx.h"
#include "instrument/deadlines.h"
#include "instrument/flows.h"
#include "instrument/frames.h"
#include "instrument/looks.h"
#include "instrument/memory.h"
#include "instrument/names.h"
#include "instrument/nondet.h"
#include "instrument/opens.h"
#include "instrument/pass.h"
#include "instrument/properties.h"
#include "instrument/requeues.h"
#include "instrument/scopes.h"
#include "instrument/sections.h"
#include "instrument/shown.h"
#include "instrument/turns.h"
#include "instrument/undefined.h"
#include "instrument/unreachable.h"
#include "instrument/waits.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

/* Inline functions that are defined elsewhere: the local copy is equivalent and can be
 * instrumented. */
static void own_inlines(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* What a function promises about memory no longer holds once it calls hooks. */
static void drop_promises(LLVMValueRef value, bool call)
{
    static const char *const promises[] = {
        "memory",    "readnone",     "readonly",
        "writeonly", "argmemonly",   "inaccessiblememonly",
        "nosync",    "nofree",       "willreturn",
        "norecurse", "speculatable", "inaccessiblemem_or_argmemonly",
    };
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i]));
        if (kind == 0)
            continue;
        if (call)
            LLVMRemoveCallSiteEnumAttribute(value, (LLVMAttributeIndex)-1, kind);
        else
            LLVMRemoveEnumAttributeAtIndex(value, (LLVMAttributeIndex)-1, kind);
    }
}

static void rewrite(struct hd_pass *p, struct hd_plan *plan, const struct hd_planned *item)
{
    switch (item->kind) {
    case HD_PLAN_LOAD:
        hd_memory_load(p, item);
        break;
    case HD_PLAN_STORE:
        hd_memory_store(p, item);
        break;
    case HD_PLAN_RMW:
        hd_atomic_rmw(p, item);
        break;
    case HD_PLAN_CAS:
        hd_atomic_cas(p, item);
        break;
    case HD_PLAN_FENCE:
        hd_atomic_fence(p, item);
        break;
    case HD_PLAN_BARRIER:
        hd_atomic_barrier(p, item);
        break;
    case HD_PLAN_COPY:
        hd_memory_copy(p, item);
        break;
    case HD_PLAN_FILL:
        hd_memory_fill(p, item);
        break;
    case HD_PLAN_CALL: {
        LLVMValueRef callee = hd_plan_callee(item->inst);
        if (callee == NULL || !hd_str_starts(name_of(callee), "llvm."))
            drop_promises(item->inst, true);
        hd_calls_rewrite(p, plan, item->inst);
        break;
    }
    }
}

static void rewrite_functions(struct hd_pass *p, struct hd_facts *facts, bool all)
{
    struct hd_plan plan;
    struct hd_undefined undefined;
    struct hd_turns turns;
    struct hd_bounds bounds = { .p = p, .facts = facts, .points_to = &facts->points_to };
    hd_ptrmap_init(&bounds.late);
    hd_undefined_init(&undefined, p, facts);
    hd_plan_init(&plan, p->module, all ? NULL : &facts->sharing);
    hd_turns_init(&turns, p->module, &plan);
    hd_frames_prepare(p, facts, &plan);
    plan.left = 0;
    bool compares = hd_compares_needed(p->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || hd_str_starts(name_of(f), "__heddle_"))
            continue;
        p->function = f;
        drop_promises(f, false);
        hd_frames_begin(p);
        hd_plan_function(&plan, f);
        hd_await_loops(p, &plan);
        hd_turns_hook(&turns, p);
        hd_zones_find(&bounds, &plan);
        hd_bounds_function(&bounds, &plan);
        hd_undefined_function(&undefined, &plan);
        if (compares)
            hd_compares_hook(p);
        for (size_t i = 0; i < plan.n; i++)
            rewrite(p, &plan, &plan.items[i]);
        hd_zones_function(&bounds);
        hd_undefined_settle(&undefined);
        hd_pass_remove_moved(p);
        hd_unreachable_tell(p);
        hd_frames_end(p);
    }
    hd_frames_release(p);
    p->stats.left = (uint32_t)plan.left;
    hd_plan_release(&plan);
    hd_undefined_release(&undefined);
    hd_turns_release(&turns);
    free(bounds.locals);
    hd_ptrmap_release(&bounds.late);
}

/* int __heddle_main(int, char **, char **), whatever main's own parameters are; unusual ones
 * are zero. */
static void rename_main(struct hd_pass *p, LLVMValueRef user)
{
    LLVMTypeRef params[] = { p->i32, p->pointer, p->pointer };
    LLVMTypeRef user_type = LLVMGlobalGetValueType(user);
    LLVMTypeRef result = LLVMGetReturnType(user_type);
    LLVMSetValueName2(user, "__heddle_user_main", 18);
    LLVMSetLinkage(user, LLVMInternalLinkage);
    LLVMValueRef entry = LLVMAddFunction(p->module, "__heddle_main",
                                         LLVMFunctionType(p->i32, params, 3, 0));
    LLVMPositionBuilderAtEnd(p->builder, LLVMAppendBasicBlockInContext(p->context, entry, ""));
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    unsigned n = LLVMCountParams(user);
    LLVMValueRef *args = hd_alloc((n + 1) * sizeof *args);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(user, i));
        bool usual = i < 3 && type == params[i];
        args[i] = usual ? LLVMGetParam(entry, i) : LLVMConstNull(type);
    }
    LLVMValueRef status = LLVMBuildCall2(p->builder, user_type, user, args, n, "");
    free(args);
    if (LLVMGetTypeKind(result) != LLVMIntegerTypeKind)
        status = hd_pass_u32(p, 0);
    else
        status = LLVMBuildIntCast2(p->builder, status, p->i32, 1, "");
    LLVMBuildRet(p->builder, status);
}

static bool declares(const struct hd_pass *p, const char *function)
{
    return LLVMGetNamedFunction(p->module, function) != NULL;
}

static bool compares(const struct hd_pass *p)
{
    static const char *const hooks[] = { "__heddle_cas1", "__heddle_cas2",  "__heddle_cas4",
                                         "__heddle_cas8", "__heddle_cas16", "__heddle_await" };
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if (declares(p, hooks[i]))
            return true;
    return false;
}

static bool declares_one(const struct hd_pass *p, const char *const *names)
{
    for (; *names; names++)
        if (declares(p, *names))
            return true;
    return false;
}

/* Functions that ask whether a thread has ended, and those that must not be called for one that
 * has been joined. */
static bool looks_at_ends(const struct hd_pass *p)
{
    static const char *const names[] = { "pthread_tryjoin_np", "pthread_timedjoin_np",
                                         "pthread_clockjoin_np", "syscall", NULL };
    return declares_one(p, names);
}

static bool uses_threads(const struct hd_pass *p)
{
    static const char *const names[] = { "pthread_cancel",   "pthread_kill",
                                         "pthread_sigqueue", "kill",
                                         "killpg",           "sigqueue",
                                         "tgkill",           NULL };
    return declares_one(p, names);
}

/* Signals that another thread of the program sends may run a handler. */
static bool handles(const struct hd_pass *p)
{
    static const char *const sends[] = { "pthread_kill", "pthread_sigqueue", "kill", "killpg",
                                         "sigqueue",     "tgkill",           NULL };
    static const char *const installs[] = { "sigaction",   "signal",        "bsd_signal",
                                            "sysv_signal", "__sysv_signal", "ssignal",
                                            NULL };
    return declares_one(p, sends) && declares_one(p, installs);
}

static bool asks_mappings(const struct hd_pass *p)
{
    static const char *const names[] = { "msync", "madvise", "mprotect", "mremap", NULL };
    return declares_one(p, names);
}

static bool tries_locks(const struct hd_pass *p)
{
    static const char *const names[] = { "pthread_mutex_trylock",
                                         "pthread_mutex_timedlock",
                                         "pthread_mutex_clocklock",
                                         "mtx_trylock",
                                         "mtx_timedlock",
                                         "ftrylockfile",
                                         "syscall",
                                         NULL };
    return declares_one(p, names);
}

static bool has_objects(const struct hd_pass *p)
{
    static const char *const kinds[] = { "pthread_mutex_",
                                         "pthread_cond_",
                                         "pthread_rwlock_",
                                         "pthread_spin_",
                                         "pthread_barrier_",
                                         "pthread_once",
                                         "sem_",
                                         "mtx_",
                                         "cnd_",
                                         "call_once",
                                         "syscall" };
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (LLVMIsDeclaration(f) && strncmp(name_of(f), kinds[i], strlen(kinds[i])) == 0)
                return true;
    return false;
}

/* Does the program close its standard output, so that the order of that and of output
 * matters? */
static bool closes_output(const struct hd_pass *p)
{
    LLVMValueRef function = LLVMGetNamedFunction(p->module, "fclose");
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!hd_code_is_call(call) || LLVMGetNumArgOperands(call) != 1)
            return true;
        LLVMValueRef stream = LLVMGetOperand(call, 0);
        const char *from = LLVMIsALoadInst(stream) ? name_of(LLVMGetOperand(stream, 0)) : "";
        if (strcmp(from, "stdout") == 0 || strcmp(from, "stderr") == 0)
            return true;
    }
    return false;
}

/* The string that says where the program looks at addresses as numbers; 0: nowhere. */
static uint32_t tell_apart(struct hd_pass *p, struct hd_facts *facts)
{
    struct hd_alike found = hd_alike_find(facts);
    struct hd_code_place at = { .line = 0 };
    if (!found.why)
        return 0;
    if (found.point != HD_NO_POINT)
        at = hd_code_place(facts->code.insts[found.point]);
    char *text = at.line
                     ? hd_str_format("%.*s:%u %s", (int)at.file_n, at.file, at.line, found.why)
                     : hd_str_format("it %s", found.why);
    uint32_t offset = hd_sites_string(&p->sites, text);
    free(text);
    return offset;
}

static void make_tables(struct hd_pass *p, const uint8_t build_id[16], bool looks_at_clock,
                        bool all_accesses)
{
    struct hd_program_info info = { .magic = HD_PROGRAM_MAGIC,
                                    .abi = HD_ABI_VERSION,
                                    .n_filters = HD_N_FILTERS,
                                    .n_searches = HD_N_SEARCHES,
                                    .all_accesses = all_accesses };
    bool unknown = p->externals.n > 0;
    info.n_unseen = (uint32_t)p->unseen.n;
    info.unseen = hd_sites_list(&p->sites, &p->unseen);
    info.n_sites = p->sites.n;
    info.n_strings = (uint32_t)p->sites.strings.length;
    info.told_apart = p->told_apart;
    info.reads_clock = unknown || looks_at_clock;
    info.awaits = declares(p, "__heddle_await_saw") || declares(p, "__heddle_await_wrote");
    info.cancels = unknown || declares(p, "pthread_cancel");
    info.uses_threads = unknown || uses_threads(p);
    info.uses_properties = hd_properties_used(p->module);
    info.asks_mappings = unknown || asks_mappings(p);
    info.opens_files = unknown || hd_opens_files(p->module);
    info.handles = handles(p);
    info.looks_at_ends = info.uses_threads || looks_at_ends(p);
    info.requeues = hd_requeues(p->module);
    info.tries_locks = unknown || tries_locks(p);
    info.has_objects = unknown || has_objects(p);
    info.compares = unknown || compares(p);
    info.deletes_keys = declares(p, "pthread_key_delete") || declares(p, "tss_delete");
    info.adds_exit_handlers = declares(p, "atexit") || declares(p, "__cxa_atexit") ||
                              declares(p, "on_exit") || declares(p, "at_quick_exit");
    info.locks_streams = declares(p, "flockfile") || declares(p, "ftrylockfile") ||
                         closes_output(p);
    memcpy(info.build_id, build_id, sizeof info.build_id);
    p->stats.sites = p->sites.n;
    p->stats.externals = (uint32_t)p->externals.n;
    hd_bitcode_embed(p->module, HD_SECTION_INFO, &info, sizeof info, 16);
    hd_bitcode_embed(p->module, HD_SECTION_SITES, p->sites.items,
                     p->sites.n * sizeof *p->sites.items, 8);
    hd_bitcode_embed(p->module, HD_SECTION_POINTS, p->sites.points,
                     p->sites.n * sizeof *p->sites.points, 4);
    hd_bitcode_embed(p->module, HD_SECTION_STRINGS, p->sites.strings.text,
                     p->sites.strings.length, 1);
}

/* Emit the table of which calls may wake which, and of the tails of threads (core/site.h). */
static void tell_wakers(struct hd_pass *p, const struct hd_facts *facts,
                        const struct hd_wakers *wakers, const struct hd_tails *tails)
{
    struct hd_site_wakers *table = hd_alloc((p->sites.n + 1) * sizeof *table);
    for (uint32_t i = 0; i < p->sites.n; i++) {
        uint32_t point = p->sites.points[i];
        bool known = point < facts->code.n_insts;
        table[i] = known ? wakers->of[point] : (struct hd_site_wakers){ .ahead = ~0u };
        table[i].tail = known ? tails->of[point] : 0;
    }
    hd_bitcode_embed(p->module, HD_SECTION_WAKERS, table, p->sites.n * sizeof *table, 8);
    free(table);
}

static void make_build_id(LLVMMemoryBufferRef bitcode, uint64_t salt, uint8_t id[16])
{
    for (uint64_t half = 0; half < 2; half++) {
        uint64_t hash = hd_hash_step(hd_hash_step(half, HD_ABI_VERSION), salt);
        hash = hd_hash_bytes(hash, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
        memcpy(id + half * 8, &hash, 8);
    }
}

static void verify(LLVMModuleRef module)
{
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        hd_bug("the instrumented program is not valid: %s", message);
    LLVMDisposeMessage(message);
}

/* Optimisation and code generation take most of the time of linking a program.  Executions of
 * one that is not small gain nothing from more than a few passes, because their time goes into
 * hooks.  Instructions before they are instrumented: */
enum { MEDIUM = 3000, LARGE = 50000 };

/* From version 18 on the pass insists on a fixpoint when it is named alone. */
#if LLVM_VERSION_MAJOR >= 18
#define COMBINE "instcombine<no-verify-fixpoint>"
#else
#define COMBINE "instcombine"
#endif

static int optimise(LLVMModuleRef module, uint32_t size, bool slowly, struct hd_err *err)
{
    hd_progress("optimising");
    if (size <= MEDIUM)
        return hd_emit_passes(module, "default<O2>", err);
    hd_emit_limit(module, size <= LARGE || slowly ? HD_EFFORT_SOME : HD_EFFORT_NONE);
    return hd_emit_passes(
        module, "always-inline,function(sroa,early-cse,simplifycfg," COMBINE ",simplifycfg)",
        err);
}

/* Does the program look at the clock?  Which waits rely on being signalled?  Asked while
 * functions are still those of the source. */
static int prepare_waits(LLVMModuleRef module, bool *looks, struct hd_err *err)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    if (hd_emit_passes(module, "function(mem2reg)", err) != 0)
        return -1;
    hd_waits_mark(module);
    *looks = hd_deadlines_looked_at(module);
    if (!*looks)
        hd_deadlines_compare(module, LLVMAddFunction(module, "__heddle_now_after_wait",
                                                     LLVMFunctionType(i64, NULL, 0, 0)));
    return 0;
}

/* Code addresses its variables with 31-bit offsets. */
static int check_variables(LLVMModuleRef module, struct hd_err *err)
{
    const uint64_t most = 2000ull << 20;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMValueRef largest = NULL;
    uint64_t all = 0, most_of_one = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMTypeRef type = LLVMGlobalGetValueType(g);
        uint64_t bytes = LLVMIsDeclaration(g) || !LLVMTypeIsSized(type)
                             ? 0
                             : LLVMABISizeOfType(layout, type);
        all += bytes;
        if (bytes > most_of_one) {
            most_of_one = bytes;
            largest = g;
        }
    }
    if (all <= most)
        return 0;
    return hd_err_set(err,
                      "the variables of the program take %llu MB, `%s' %llu of them; at most "
                      "%llu MB fit: make it smaller, or allocate it",
                      (unsigned long long)all >> 20, name_of(largest),
                      (unsigned long long)most_of_one >> 20, (unsigned long long)most >> 20);
}

static void analyse(struct hd_facts *facts, LLVMModuleRef module,
                    const struct hd_instrument_options *options)
{
    uint64_t budget = options->no_budget ? UINT64_MAX : HD_POINTS_TO_BUDGET;
    hd_progress("analysing the program");
    hd_facts_init_within(facts, module, options->no_points_to ? 0 : budget);
    if (!options->no_points_to && hd_solver_is_coarse(facts->points_to.solver)) {
        hd_progress_end();
        fputs("heddle: the points-to analysis has used up its budget: more accesses than "
              "necessary are scheduling points (--analysis full lifts the budget)\n",
              stderr);
    }
}

/* Returns the number of instructions that the program had. */
static uint32_t rewrite_all(struct hd_pass *p, LLVMModuleRef module,
                            const struct hd_instrument_options *options)
{
    struct hd_facts facts;
    struct hd_wakers wakers;
    struct hd_tails tails;
    struct hd_flows flows;
    analyse(&facts, module, options);
    uint32_t size = facts.code.n_insts;
    hd_progress("instrumenting %u instructions", size);
    hd_wakers_init(&wakers, &facts);
    hd_tails_init(&tails, &facts);
    hd_flows_find(&flows, &facts);
    hd_pass_init(p, module);
    p->sites.code = &facts.code;
    hd_addresses_list(p);
    p->told_apart = tell_apart(p, &facts);
    rewrite_functions(p, &facts, options->all_accesses);
    p->sites.code = NULL;
    tell_wakers(p, &facts, &wakers, &tails);
    hd_wakers_release(&wakers);
    hd_tails_release(&tails);
    hd_flows_tell(&flows, p, size);
    hd_flows_release(&flows);
    hd_facts_release(&facts);
    return size;
}

int hd_instrument(LLVMModuleRef module, const struct hd_instrument_options *options,
                  struct hd_instrument_stats *stats, struct hd_err *err)
{
    struct hd_pass p;
    uint8_t build_id[16];
    LLVMValueRef user = LLVMGetNamedFunction(module, "main");
    if (user == NULL || LLVMIsDeclaration(user))
        return hd_err_set(err, "no main function");
    if (check_variables(module, err) != 0)
        return -1;
    hd_fits_settle(module);
    hd_assembly_lower(module);
    hd_names_attach(module);
    hd_sections_mark(module);
    hd_nondet_settle(module);
    hd_shown_keep(module);
    hd_undefined_mark(module);
    hd_scopes_hold(module);
    hd_constructors_into_main(module);
    bool looks_at_clock;
    if (prepare_waits(module, &looks_at_clock, err) != 0 || hd_cxx_prepare(module, err) != 0 ||
        hd_looks_inline(module, err) != 0)
        return -1;
    own_inlines(module);
    hd_fits_settle(module); /* again: more formats are literals now */
    hd_addresses_wrap(module);
    if (hd_scopes_settle(module, err) != 0)
        return -1;
    hd_undefined_sweep(module);
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    make_build_id(bitcode, options->salt, build_id);
    uint32_t size = rewrite_all(&p, module, options);
    rename_main(&p, LLVMGetNamedFunction(module, "main"));
    hd_zones_globals(&p);
    make_tables(&p, build_id, looks_at_clock, options->all_accesses);
    hd_bitcode_embed(module, HD_SECTION_MODULE, LLVMGetBufferStart(bitcode),
                     LLVMGetBufferSize(bitcode), 16);
    LLVMDisposeMemoryBuffer(bitcode);
    if (stats)
        *stats = p.stats;
    hd_pass_release(&p);
    verify(module);
    if (options->optimise && optimise(module, size, options->no_budget, err) != 0)
        return -1;
    hd_unreachable_trap(module);
    return 0;
}

int hd_instrument_program(LLVMModuleRef module, uint64_t salt, const char *analysis,
                          struct hd_err *err)
{
    const char *accesses = getenv("HEDDLE_ACCESSES"), *asked = getenv("HEDDLE_ANALYSIS");
    struct hd_instrument_options options = { .salt = salt, .optimise = true };
    options.all_accesses = accesses && strcmp(accesses, "all") == 0;
    if (analysis == NULL)
        analysis = asked && *asked ? asked : "fast";
    options.no_points_to = strcmp(analysis, "off") == 0;
    options.no_budget = strcmp(analysis, "full") == 0;
    bool all = strcmp(analysis, "all") == 0, fast = strcmp(analysis, "fast") == 0;
    if (!options.no_points_to && !options.no_budget && !all && !fast)
        return hd_err_set(err, "HEDDLE_ANALYSIS is `%s': use off, fast, full or all", analysis);
    options.all_accesses = options.all_accesses || all;
    /* What is visible depends on it, so traces do, too. */
    if (!fast)
        options.salt = hd_hash_bytes(salt, analysis, strlen(analysis));
    return hd_instrument(module, &options, NULL, err);
}
