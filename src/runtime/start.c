/* Start-up: memory, the main thread, and the mode (explore, replay or plain). */
#include "runtime/rt.h"

#include "core/abi.h"
#include "core/sandbox.h"
#include "core/site.h"
#include "runtime/fd.h"
#include "runtime/files.h"
#include "runtime/fork_server.h"
#include "runtime/format.h"
#include "runtime/memory.h"
#include "runtime/private.h"
#include "runtime/state.h"
#include "runtime/stdin.h"
#include "runtime/undefined.h"
#include "runtime/zones.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int hd_ready;
uint32_t __heddle_call_site;
uint32_t hd_taken_site;
const struct hd_frame *__heddle_frame;

int __heddle_main(int argc, char **argv, char **envp);
int main(int argc, char **argv, char **envp);

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

static struct {
    int argc;
    char **argv, **envp;
} arguments; /* set once, before the root */

void hd_site_text(uint32_t site, char *text, size_t size)
{
    const struct hd_site *s = &__start_heddle_sites[site];
    if (site == 0 || site >= __start_heddle_info->n_sites)
        snprintf(text, size, "(uninstrumented code)");
    else
        snprintf(text, size, "%s:%u", __start_heddle_strings + s->file, s->line);
}

const char *hd_site_variable(uint32_t site)
{
    bool known = site && site < __start_heddle_info->n_sites;
    return known ? __start_heddle_strings + __start_heddle_sites[site].variable : "";
}

uint32_t hd_site_flag(uint32_t site)
{
    return site && site < __start_heddle_info->n_sites ? __start_heddle_sites[site].size : 0;
}

void *hd_real(const char *name)
{
    void *fn = dlsym(RTLD_NEXT, name);
    if (!fn)
        hd_fatal("this system's C library has no %s", name);
    return fn;
}

void hd_say(const char *fmt, ...)
{
    char text[600];
    va_list args;
    va_start(args, fmt);
    int n = hd_vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    n = n < (int)sizeof text ? n : (int)sizeof text - 1;
    hd_syscall(SYS_write, 2, (long)(uintptr_t)text, n, 0, 0, 0);
}

void hd_fatal(const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    hd_vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (hd_ready && rt->shared) {
        memcpy(rt->shared->ctl.error, text, sizeof text);
        rt->shared->ctl.state = HD_STATE_ERROR;
    } else {
        hd_say("heddle: %s\n", text);
    }
    hd_syscall(SYS_exit_group, 2, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

static void *map_at(uint64_t base, uint64_t bytes)
{
    void *p = hd_mmap((void *)base, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)base) {
        static const char text[] = "heddle: cannot reserve the memory that the runtime needs\n";
        hd_syscall(SYS_write, 2, (long)(uintptr_t)text, sizeof text - 1, 0, 0, 0);
        hd_syscall(SYS_exit_group, 2, 0, 0, 0, 0, 0);
    }
    return p;
}

/* Has the processor AVX, and does the system keep its registers? */
static bool has_wide_stores(void)
{
    uint32_t a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

/* Has the processor AVX and an instruction for AES (state_aes.c)? */
static bool has_aes(void)
{
    uint32_t a, b, c, d;
    return has_wide_stores() && __get_cpuid(1, &a, &b, &c, &d) && c & bit_AES;
}

#define LOG_BYTES (8ull << 30)
#define IMAGE_BYTES (64ull << 30) /* of address space: images of zeros take no memory */
#define MARK_BYTES (sizeof(struct hd_mark) * (uint64_t)HD_MAX_STEPS)

void hd_rt_prepare(void)
{
    if (hd_ready)
        return;
    uint64_t images = (HD_LOG_BASE + 2 * LOG_BYTES + MARK_BYTES + (2ull << 20)) & ~4095ull;
    map_at(HD_LOG_BASE, images - HD_LOG_BASE + IMAGE_BYTES);
    map_at(HD_MODEL_BASE, (sizeof(struct hd_model) + 4095) & ~4095ull);
    rt->log_top = (struct hd_undo *)(rt + 1);
    rt->log_end = (struct hd_undo *)(HD_LOG_BASE + LOG_BYTES - (1u << 20));
    rt->slice_top = (char *)(HD_LOG_BASE + LOG_BYTES);
    rt->slice_end = rt->slice_top + LOG_BYTES - (16u << 20);
    rt->marks = (struct hd_mark *)(HD_LOG_BASE + 2 * LOG_BYTES);
    rt->image_top = images;
    rt->image_end = images + IMAGE_BYTES;
    rt->mode = HD_PLAIN;
    rt->solo_fast = 1;
    rt->config.n_threads = 1;
    rt->config.next = rt->next;
    rt->config.one_way = 1;
    hd_tset_add(&rt->config.live, 0);
    hd_tset_add(&rt->config.enabled, 0);
    rt->decide = hd_plain_decide;
    rt->fsgsbase = (getauxval(AT_HWCAP2) & 2) != 0;
    rt->wide_stores = has_wide_stores();
    rt->has_aes = has_aes();
    model->threads[0].joiner = HD_NOBODY;
    model->random = 1;
    rt->sync_found = model->sync;
    hd_ready = 1;
}

/* The executable comes first; the C library is where its functions are. */
static int find_objects(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    uint32_t *seen = arg;
    uint64_t libc = (uint64_t)(uintptr_t)hd_real("fclose"), linker = getauxval(AT_BASE);
    if ((*seen)++ == 0)
        rt->load_base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uint64_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        bool is_linker = info->dlpi_addr == linker && linker;
        if (is_linker || (libc >= begin && libc < end)) {
            rt->libc[is_linker].begin = begin;
            rt->libc[is_linker].end = end;
        }
    }
    return 0;
}

bool hd_in_libc(const void *caller)
{
    uint64_t at = (uint64_t)(uintptr_t)caller;
    return at - rt->libc[0].begin < rt->libc[0].end - rt->libc[0].begin ||
           at - rt->libc[1].begin < rt->libc[1].end - rt->libc[1].begin;
}

static void map_tree(int fd)
{
    void *base = hd_mmap((void *)HD_TREE_BASE, HD_TREE_BYTES, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (base != (void *)HD_TREE_BASE)
        hd_fatal("cannot map the memory that the workers share");
    hd_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* The first worker begins.  The others wait before main until it has executed the program once,
 * and for work at the root.  They leave their memory alone until then: the supervisor may
 * replace them by copies with more threads. */
static bool await_first(struct hd_worker_memory *shared)
{
    shared->ctl.state = HD_STATE_WAITING;
    return hd_explorer_may_start(shared, (void *)HD_TREE_BASE, shared->worker,
                                 shared->takeover == HD_TAKEOVER_UNIT);
}

static void join_others(struct hd_worker_memory *shared, bool may_start)
{
    if (!hd_explorer_join(rt->ex, (void *)HD_TREE_BASE, HD_TREE_BYTES, shared->worker))
        hd_fatal("not enough memory for the exploration");
    if (!may_start) {
        shared->ctl.state = HD_STATE_DONE;
        hd_engine_finish();
    }
    hd_tls_park(hd_explorer_n_parked(rt->ex));
}

/* Write the search of a stopped worker as a unit, after everything that it keeps; or as
 * parts in the tree. */
static _Noreturn void pack(struct hd_worker_memory *shared)
{
    uint64_t at = ((uint64_t)(rt->ex->arena.base - (char *)shared) + rt->ex->arena.used + 4095) &
                  ~4095ull;
    shared->unit_at = at;
    shared->unit_bytes = (shared->takeover == HD_TAKEOVER_PACK ? hd_explorer_pack
                                                               : hd_explorer_scatter)(
        rt->ex, &hd_fiber_world, (char *)shared + at, HD_TOOL_BYTES - at);
    shared->ctl.state = HD_STATE_DONE;
    hd_engine_finish();
}

/* Lay out a new explorer below `end`. */
static void create(struct hd_worker_memory *shared, uint64_t end)
{
    char *arena = (char *)shared + shared->arena_offset;
    bool several = shared->tree_memory >= 0, may_start = !several || await_first(shared);
    shared->n_threads = shared->n_threads ? shared->n_threads : 1;
    rt->ex = hd_explorer_create(shared, arena, end - shared->arena_offset, &hd_fiber_world);
    if (!rt->ex)
        hd_fatal("not enough memory for the exploration");
    if (several)
        join_others(shared, may_start);
}

/* Lay out a new explorer and go on with a work unit, which follows it in memory. */
static void unpack(struct hd_worker_memory *shared)
{
    void *bytes = (char *)shared + shared->unit_at;
    create(shared, shared->unit_at);
    const char *wrong = hd_explorer_unpack(rt->ex, bytes, shared->unit_bytes);
    if (wrong)
        hd_fatal("the checkpoint cannot be resumed: %s", wrong);
    hd_arena_give_back(bytes, shared->unit_bytes);
    hd_explorer_resume(rt->ex, &hd_fiber_world);
}

static void take_over(struct hd_worker_memory *shared)
{
    uint32_t how = shared->takeover;
    if (how == HD_TAKEOVER_UNIT) {
        unpack(shared);
    } else {
        rt->ex = (struct hd_explorer *)((char *)shared + shared->arena_offset);
        if (how == HD_TAKEOVER_PACK || how == HD_TAKEOVER_SCATTER)
            pack(shared);
        else if (how == HD_TAKEOVER_NEXT)
            hd_explorer_resume(rt->ex, &hd_fiber_world);
        else
            hd_explorer_revive(rt->ex, &hd_fiber_world,
                               how == HD_TAKEOVER_RECORD ? &shared->died : NULL);
    }
    shared->takeover = 0;
    shared->died_valid = 0;
    if (shared->ctl.state == HD_STATE_DONE || shared->ctl.state == HD_STATE_STOPPED)
        hd_engine_finish();
}

/* glibc mixes a random number of the process into what setjmp() stores.  A program that looks
 * at the bytes is to find the same ones in every run.  Later threads have a copy.
 * What the library has kept so far with the old number, handlers of exit(), a worker never
 * uses. */
static void fix_pointer_guard(void)
{
    uint64_t guard = 0x9e3779b97f4a7c15ull;
    __asm__ volatile("mov %0, %%fs:0x30" : : "r"(guard));
}

/* `tree`: where a copy has the descriptor of what workers share; a new process has inherited
 * it. */
void hd_rt_become_worker(int memory, int tree)
{
    fix_pointer_guard();
    void *base = hd_mmap((void *)HD_TOOL_BASE, HD_TOOL_BYTES, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory, 0);
    if (base != (void *)HD_TOOL_BASE)
        hd_fatal("cannot map the shared memory of the exploration");
    if (!rt->n_parked)
        hd_files_make_room(memory);
    hd_syscall(SYS_close, memory, 0, 0, 0, 0, 0);
    struct hd_worker_memory *shared = base;
    if (shared->magic != HD_SHARED_MAGIC || shared->version != HD_SHARED_VERSION)
        hd_fatal("this program was built by another version of heddle: build it again");
    rt->shared = shared;
    rt->mode = shared->options.mode == HD_MODE_REPLAY ? HD_REPLAYING : HD_EXPLORING;
    rt->reuse = shared->options.reuse;
    rt->undo = rt->mode == HD_EXPLORING && !shared->options.no_undo;
    rt->weak = shared->options.memory != HD_MEMORY_SC;
    rt->plain_events = hd_memory_plain_events(shared->options.memory);
    rt->reads_from = shared->options.memory == HD_MEMORY_SC_RF;
    rt->looks = rt->weak && !rt->reads_from && __start_heddle_info &&
                __start_heddle_info->handles;
    hd_turns_plain = rt->plain_events || shared->options.volatile_ok ||
                     shared->options.suppressions.n_volatile;
    rt->values = rt->mode == HD_REPLAYING || rt->plain_events;
    if (rt->mode == HD_EXPLORING && shared->options.finer & HD_FINER_LOCKS)
        rt->parts = &shared->parts_found;
    rt->config.sections = rt->parts ? &model->parted : NULL;
    hd_site_orders_prepare(&shared->options);
    if (shared->takeover && shared->ctl.load_base != rt->load_base)
        hd_fatal("the program lies at another address than before (%#llx, now %#llx): the "
                 "exploration cannot go on",
                 (unsigned long long)shared->ctl.load_base, (unsigned long long)rt->load_base);
    shared->ctl.load_base = rt->load_base;
    rt->clean = (shared->options.filters & HD_FILTER_STATES) ||
                shared->options.leads_to == HD_LEADS_TO_CYCLE;
    hd_apart_top = rt->clean ? rt->engine_top : 0;
    if (rt->clean && rt->mode == HD_EXPLORING)
        hd_state_prepare();
    hd_tls_park(shared->options.n_parked ? shared->options.n_parked : 8);
    hd_violation_install_handlers();
    if (rt->mode == HD_REPLAYING) {
        rt->decide = hd_replay_decide;
        hd_world_find_data();
        shared->n_threads = shared->n_threads ? shared->n_threads : 1;
    } else {
        if (shared->tree_memory >= 0)
            map_tree(tree >= 0 ? tree : shared->tree_memory);
        if (shared->takeover)
            take_over(shared);
        else
            create(shared, HD_TOOL_BYTES);
    }
    if (hd_mprotect(base, offsetof(struct hd_worker_memory, ctl), PROT_READ) != 0)
        hd_fatal("cannot protect the shared memory of the exploration");
    hd_sandbox_enter(true, hd_private_on() ? hd_syscall_after
                                           : NULL); /* the supervisor knows if this works */
    shared->ctl.state = HD_STATE_PROGRAM;
}

static void run_main(void)
{
    hd_stdin_arguments(arguments.argc, arguments.argv);
    int status = __heddle_main(arguments.argc, arguments.argv, arguments.envp);
    hd_exit(status);
}

/* What is told about the bytes of stacks is mapped for several threads at once: a mapping takes
 * as long whatever its size, and the first are mapped before processes are copied. */
static void map_what_is_told(uint32_t thread)
{
    enum { TOGETHER = 16 };
    uint32_t first = thread - thread % TOGETHER, bit = 1u << thread / TOGETHER;
    _Static_assert(HD_MAX_THREADS <= 32 * TOGETHER, "rt->told has a bit for each group");
    if (rt->told & bit)
        return;
    rt->told |= bit;
    hd_undefined_map_stacks(first, TOGETHER);
    hd_zones_map_stacks(first, TOGETHER);
}

/* Give the thread a stack, or a larger one; below it nothing is mapped. */
void hd_fiber_map(uint32_t thread, uint64_t bytes)
{
    uint64_t begin = HD_STACK_BASE + thread * HD_STACK_STRIDE, had = rt->fibers[thread].bytes;
    bytes = bytes < HD_STACK_BYTES  ? HD_STACK_BYTES
            : bytes > HD_STACK_MOST ? HD_STACK_MOST
                                    : (bytes + 4095) & ~4095ull;
    if (bytes <= had)
        return;
    map_at(begin + HD_STACK_STRIDE - bytes, bytes - had);
    if (!had)
        map_what_is_told(thread);
    rt->fibers[thread].bytes = bytes;
    /* staggered tops: equal ones would compete for the same cache sets */
    rt->fibers[thread].top = begin + HD_STACK_STRIDE - 64ull * (1 + thread * 9 % 61);
}

/* The number of a descriptor that the supervisor gives by this name; -1: none. */
static int descriptor(char **envp, const char *name)
{
    size_t n = strlen(name);
    for (char **e = envp; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') {
            int fd = atoi(*e + n + 1);
            for (; *e; e++) /* hide it from the program */
                e[0] = e[1];
            return fd;
        }
    return -1;
}

/* Copy arguments and environment to addresses that do not depend on their sizes: a trace made
 * in one shell replays in another. */
static char **at_fixed_place(char **strings, uint64_t base)
{
    uint64_t n = 0, bytes = 0;
    while (strings[n])
        bytes += hd_stdin_room(strings[n++]);
    bytes += (n + 1) * sizeof *strings;
    char **copy = map_at(base, (bytes + 4095) & ~4095ull);
    char *text = (char *)(copy + n + 1);
    for (uint64_t i = 0; i < n; i++) {
        copy[i] = text;
        stpcpy(text, strings[i]);
        text += hd_stdin_room(strings[i]);
    }
    copy[n] = NULL;
    return copy;
}

int main(int argc, char **argv, char **envp)
{
    hd_rt_prepare();
    arguments.argc = argc;
    uint32_t objects = 0;
    dl_iterate_phdr(find_objects, &objects);
    hd_tls_measure();
    if (!__start_heddle_info || __start_heddle_info->abi != HD_ABI_VERSION)
        hd_fatal("the runtime and the instrumented code are of different versions: build again");
    struct hd_served given = { .memory = descriptor(envp, HD_ENV_WORKER), .tree = -1 };
    int line = descriptor(envp, HD_ENV_SERVER);
    arguments.argv = at_fixed_place(argv, HD_STACK_BASE + (HD_MAX_THREADS + 2) * HD_STACK_STRIDE);
    arguments.envp = environ = at_fixed_place(envp, HD_STACK_BASE +
                                                        (HD_MAX_THREADS + 3) * HD_STACK_STRIDE);
    rt->engine_top = HD_STACK_BASE + (HD_MAX_THREADS + 1) * HD_STACK_STRIDE;
    map_at(rt->engine_top - HD_STACK_BYTES, HD_STACK_BYTES);
    hd_fiber_map(0, 0);
    hd_zones_prepare();
    if (line >= 0) {
        fix_pointer_guard(); /* threads get it from their creator */
        given = hd_fork_server(line);
    }
    if (given.memory >= 0)
        hd_rt_become_worker(given.memory, given.tree);
    hd_stdin_prepare();
    hd_update_solo();
    hd_fiber_prepare(0, run_main);
    hd_resume(rt->fibers[0].sp);
}

__attribute__((constructor(101))) static void before_other_constructors(void) { hd_rt_prepare(); }

/* The step cannot be undone. */
static void mark_opaque(void)
{
    if (rt->shared)
        rt->shared->ctl.native_site = 0;
    if (!rt->rooted)
        return;
    rt->opaque_since_root = 1;
    if (rt->depth)
        rt->marks[rt->depth - 1].opaque = 1;
}

static void call_outside(uint32_t site)
{
    rt->opaque_site = site;
    mark_opaque();
    if (rt->shared)
        rt->shared->cnt.opaque++;
}

/* Unknown code is about to run: it depends on every other such call, and the step cannot be
 * undone.  If a file is mapped that the program writes, the code may read and change it, so
 * that it depends on accesses of the mapping as well.  Under a weak memory model they must be
 * ordered with it (docs/design/019-graph.md). */
static void act_outside(bool files, uint32_t site)
{
    uint32_t touches = rt->weak && files ? HD_OUTSIDE_FILES : 0;
    bool mapped = rt->n_written_mappings > rt->n_ordered_mappings;
    if (!rt->solo_fast)
        hd_act(mapped ? HD_OP_OUTSIDE_MAPPED : HD_OP_OUTSIDE, &model->outside, NULL, touches,
               site);
    if (!rt->solo_fast && !mapped &&
        rt->n_written_mappings > rt->n_ordered_mappings) /* another thread has mapped it */
        hd_act(HD_OP_OUTSIDE_MAPPED, &model->outside, NULL, 0, site);
    call_outside(site);
}

void __heddle_opaque(uint32_t site) { act_outside(true, site); }
void hd_opaque_apart(uint32_t site) { act_outside(false, site); }

/* An access of the addresses may fault afterwards. */
void hd_opaque_range(const void *at, uint64_t bytes, uint32_t site)
{
    bool known = hd_mappings_are_ordered() && at && bytes <= UINT32_MAX;
    if (!rt->solo_fast && known)
        hd_act(HD_OP_OUTSIDE, &model->outside, at, (uint32_t)bytes, site);
    else if (!rt->solo_fast)
        hd_act(HD_OP_OUTSIDE_MAPPED, &model->outside, NULL, 0, site);
    call_outside(site);
}

/* Such code has run.  It may have called back, so this may be another step than the one in
 * which it began. */
void __heddle_opaque_end(uint32_t site)
{
    mark_opaque();
    hd_fd_called_outside(site);
}
