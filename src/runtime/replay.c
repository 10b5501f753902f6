/* Replay: the script decides, every step is compared with what it should be and logged. */
#include "runtime/attempt.h"

#include "core/enabled.h"

#include <string.h>

#define MOST_SOLO 100000 /* steps of a thread that is alone are logged up to here */

_Noreturn void hd_replay_stop(uint32_t status)
{
    struct hd_control *ctl = &rt->shared->ctl;
    if (rt->n_log)
        rt->shared->log[rt->n_log - 1].output_end = ctl->output_bytes;
    ctl->n_log = rt->n_log;
    ctl->replay_status = status;
    ctl->replay_step = rt->n_consumed;
    ctl->state = HD_STATE_DONE;
    hd_engine_finish();
}

void hd_replay_over(const struct hd_finding *finding)
{
    /* A debugger stops here.  It must not take what is in these registers for what the program
     * had in them. */
    __asm__ volatile(".irp register, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11\n"
                     ".cfi_undefined %%\\register\n"
                     ".endr" ::);
    struct hd_worker_memory *shared = rt->shared;
    const struct hd_options *opt = &shared->options;
    if (finding && finding->kind != HD_KIND_NONE) {
        shared->findings[0] = *finding;
        shared->findings[0].fingerprint = hd_explorer_fingerprint(finding);
        shared->n_findings = 1;
    }
    bool early = rt->n_consumed < opt->n_script && !opt->script_guide;
    hd_replay_stop(early ? HD_REPLAY_EARLY : HD_REPLAY_END);
}

/* Under a weak memory model an attempt may fail because it reads an old state, and a
 * compare-exchange compares the store that it reads. */
enum hd_op hd_replay_outcome(uint32_t thread, uint32_t choice)
{
    const struct hd_action *a = &rt->next[thread];
    enum hd_op op = hd_fiber_world.outcome(NULL, thread);
    if (!rt->weak || !choice || !hd_op_has_outcome((enum hd_op)a->op))
        return op;
    if (a->op == HD_OP_CAS) {
        uint64_t wanted[2], read[2];
        hd_fiber_world.expected(NULL, thread, wanted);
        hd_weak_peek(a, choice, read);
        return memcmp(wanted, read, sizeof read) == 0 ? HD_OP_CAS : HD_OP_CAS_FAIL;
    }
    bool fails = hd_op_table[op].space != HD_SPACE_MEM && op == a->op;
    return fails ? (enum hd_op)(op + 1) : op;
}

static struct hd_step step_of(uint32_t thread, uint32_t choice)
{
    const struct hd_action *a = &rt->next[thread];
    enum hd_space space = hd_op_table[a->op].space;
    struct hd_step s = { .thread = thread,
                         .op = (uint16_t)hd_replay_outcome(thread, choice),
                         .choice = (uint16_t)choice,
                         .site = a->site,
                         .size = a->size,
                         .action = *a };
    s.action.op = (uint8_t)s.op;
    s.object = hd_name_of(a->object, space, (enum hd_op)a->op);
    if (hd_op_second_is_sync((enum hd_op)a->op))
        s.object2 = hd_name_of(a->object2, HD_SPACE_SYNC, (enum hd_op)a->op);
    else if (a->object2)
        s.object2 = hd_name_of(a->object2, HD_SPACE_MEM, (enum hd_op)a->op);
    return s;
}

static bool same_name(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

static void check_step(const struct hd_step *want)
{
    struct hd_control *ctl = &rt->shared->ctl;
    const struct hd_config *c = &rt->config;
    if (want->thread >= c->n_threads || !hd_tset_has(&c->live, want->thread))
        hd_replay_stop(HD_REPLAY_NO_THREAD);
    ctl->got = step_of(want->thread, want->choice);
    if (!hd_tset_has(&c->enabled, want->thread))
        hd_replay_stop(HD_REPLAY_DISABLED);
    if (!rt->weak && want->choice >= rt->next[want->thread].choices)
        hd_replay_stop(HD_REPLAY_CHOICE);
    if (((want->flags & HD_STEP_CHECK_OP) && want->op != ctl->got.op) ||
        ((want->flags & HD_STEP_CHECK_SITE) && want->site != ctl->got.site) ||
        ((want->flags & HD_STEP_CHECK_NAME) &&
         (!same_name(&want->object, &ctl->got.object) ||
          (want->object2.where && !same_name(&want->object2, &ctl->got.object2)))))
        hd_replay_stop(HD_REPLAY_OTHER);
}

/* The threads that a signal or broadcast wakes. */
static void heard(struct hd_step *s, const struct hd_action *a)
{
    if (a->op != HD_OP_SIGNAL && a->op != HD_OP_BROADCAST)
        return;
    const struct hd_sync *cond = hd_sync_find(a->object);
    if (!cond || hd_tset_empty(&cond->pending, hd_tset_words(rt->config.n_threads))) {
        s->flags |= HD_STEP_UNHEARD;
        return;
    }
    uint32_t left = s->choice;
    for (uint32_t t = 0; a->op == HD_OP_SIGNAL && !s->woken && t < rt->config.n_threads; t++)
        if (hd_tset_has(&cond->pending, t) && left-- == 0)
            s->woken = t + 1;
    for (uint32_t t = 0; a->op == HD_OP_BROADCAST && t < rt->config.n_threads && t < 64; t++)
        if (hd_tset_has(&cond->pending, t))
            s->value_written |= 1ull << t;
}

struct hd_decision hd_replay_step(uint32_t thread, uint32_t choice, uint32_t flags)
{
    struct hd_worker_memory *shared = rt->shared;
    if (rt->n_log == HD_MAX_STEPS)
        hd_fatal("the run has more than %u steps", HD_MAX_STEPS);
    if (rt->n_log)
        shared->log[rt->n_log - 1].output_end = shared->ctl.output_bytes;
    struct hd_step *s = &shared->log[rt->n_log++];
    *s = step_of(thread, choice);
    s->flags = flags;
    s->stack = hd_stack_keep(thread);
    uint16_t before = rt->n_log > 1 ? s[-1].op : HD_OP_NONE;
    bool left = hd_op_pauses((enum hd_op)before); /* freely, as in explore/loop/path.c */
    if (thread != rt->config.last && !left && hd_tset_has(&rt->config.enabled, rt->config.last))
        s->flags |= HD_STEP_PREEMPTION;
    heard(s, &rt->next[thread]);
    if (rt->weak)
        hd_weak_step(&rt->next[thread]);
    if (shared->options.leads_to == HD_LEADS_TO_UNORDERED)
        hd_unordered_step(thread, choice);
    rt->n_done[thread]++;
    shared->ctl.n_log = rt->n_log;
    shared->ctl.heartbeat++;
    return (struct hd_decision){ HD_RUN, HD_STEP_PACK(thread, choice) };
}

/* A fence that is no step of its own belongs to the step before it. */
void hd_replay_fence(uint32_t order)
{
    if (!rt->n_log)
        return;
    uint8_t *at = &rt->shared->log[rt->n_log - 1].action.order;
    uint32_t fences = hd_fences_add(hd_order_fences(*at), order);
    *at = (uint8_t)((*at & HD_ORDER_STRONG) | fences << HD_ORDER_FENCE_SHIFT);
}

static void found(enum hd_kind kind, uint32_t which)
{
    struct hd_finding finding = { .kind = kind, .line = which };
    hd_violation_describe(NULL, &finding);
    hd_replay_over(&finding);
}

/* The script has ended before the program: has it led to what it should? */
static _Noreturn void arrived(void)
{
    const struct hd_options *opt = &rt->shared->options;
    struct hd_finding finding;
    if (opt->leads_to == HD_LEADS_TO_RACE &&
        hd_violation_race(opt->race[0], opt->race[1], &finding))
        hd_replay_over(&finding);
    if (opt->leads_to == HD_LEADS_TO_UNORDERED && hd_unordered_found(opt->race[1], &finding))
        hd_replay_over(&finding);
    if (opt->leads_to == HD_LEADS_TO_PARTIAL && hd_violation_partial(opt->race[0], &finding))
        hd_replay_over(&finding);
    if (opt->leads_to == HD_LEADS_TO_CYCLE && hd_cycle_closed(opt->race[0], &finding))
        hd_replay_over(&finding);
    hd_replay_stop(opt->script_partial ? HD_REPLAY_UNTIL : HD_REPLAY_LATE);
}

/* No thread can move: a deadlock, unless a thread spins, or is held by an assumption, or the
 * program allows it. */
static void nobody_moves(void)
{
    const struct hd_options *opt = &rt->shared->options;
    struct hd_finding none = { .kind = HD_KIND_NONE };
    bool spins = hd_config_stands(&rt->config, HD_OP_SPIN);
    bool assumes = hd_config_stands(&rt->config, HD_OP_ASSUME);
    if (!assumes && !hd_deadlock_allowed(NULL))
        found(spins ? HD_KIND_NO_PROGRESS : HD_KIND_DEADLOCK, 0);
    if (opt->leads_to && rt->n_consumed == opt->n_script)
        arrived();
    hd_replay_over(&none);
}

/* The thread stands before a fence, which is no step of the script (HD_STEP_UNFENCED). */
static bool at_fence(uint32_t thread)
{
    return rt->weak && thread < rt->config.n_threads &&
           hd_tset_has(&rt->config.enabled, thread) && rt->next[thread].op == HD_OP_FENCE;
}

/* A thread whose fence comes before the next step of the script, or before what its end leads
 * to; HD_NOBODY: there is none. */
static uint32_t fences_first(void)
{
    const struct hd_options *opt = &rt->shared->options;
    const struct hd_step *script = rt->shared->script;
    bool over = rt->n_consumed == opt->n_script;
    if (!opt->n_script || !(script[rt->n_consumed - over].flags & HD_STEP_UNFENCED))
        return HD_NOBODY;
    if (!over)
        return at_fence(script[rt->n_consumed].thread) ? script[rt->n_consumed].thread
                                                       : HD_NOBODY;
    if (opt->leads_to == HD_LEADS_TO_RACE && at_fence(opt->race[0]))
        return opt->race[0];
    bool races = opt->leads_to == HD_LEADS_TO_RACE || opt->leads_to == HD_LEADS_TO_UNORDERED;
    return races && at_fence(opt->race[1]) ? opt->race[1] : HD_NOBODY;
}

struct hd_decision hd_replay_decide(void)
{
    struct hd_worker_memory *shared = rt->shared;
    const struct hd_options *opt = &shared->options;
    int32_t which = rt->config.invariants ? hd_fiber_world.broken(NULL) : -1;
    if (which >= 0)
        found(which == HD_TARGETS_REACHED ? HD_KIND_TARGET : HD_KIND_INVARIANT, (uint32_t)which);
    if (hd_tset_empty(&rt->config.enabled, hd_tset_words(rt->config.n_threads)))
        nobody_moves();
    if (opt->until && rt->n_log >= opt->until)
        hd_replay_stop(HD_REPLAY_UNTIL);
    bool solo = hd_solo_step((enum hd_op)rt->next[rt->cur].op) &&
                hd_tset_has(&rt->config.enabled, rt->cur);
    if (solo && rt->n_log >= MOST_SOLO) /* an endless loop is stopped in time */
        return (struct hd_decision){ HD_RUN, HD_STEP_PACK(rt->cur, 0) };
    if (solo && !opt->script_has_solo)
        return hd_replay_step(rt->cur, 0, HD_STEP_SOLO);
    if (opt->script_guide)
        return hd_guide_decide();
    uint32_t fences = fences_first();
    if (fences != HD_NOBODY)
        return hd_replay_step(fences, 0, 0);
    if (rt->n_consumed == opt->n_script)
        arrived();
    if (opt->leads_to == HD_LEADS_TO_CYCLE && opt->n_script - rt->n_consumed == opt->race[0])
        hd_cycle_begin();
    const struct hd_step *want = &shared->script[rt->n_consumed];
    check_step(want);
    if (opt->leads_to == HD_LEADS_TO_CYCLE && opt->n_script - rt->n_consumed <= opt->race[0])
        hd_cycle_step(want->thread);
    rt->n_consumed++;
    if (opt->leads_to == HD_LEADS_TO_UNORDERED && rt->n_consumed == opt->race[0])
        hd_unordered_first();
    return hd_replay_step(want->thread, want->choice, solo ? HD_STEP_SOLO : 0);
}

/* Its registers depend on the number of steps, and the program's next frame may push one of
 * them for alignment: then it would be part of the compared state (cycle.c). */
__attribute__((zero_call_used_regs("used-gpr"))) void
hd_replay_values(uint64_t read, uint64_t written, uint32_t flags)
{
    if (!rt->n_log || rt->solo_fast || rt->in_invariant)
        return;
    struct hd_step *s = &rt->shared->log[rt->n_log - 1];
    s->value_read = read;
    s->value_written = written;
    s->flags |= flags;
}

void hd_replay_name(uint32_t thread, const char name[16])
{
    uint64_t halves[2];
    memcpy(halves, name, sizeof halves);
    hd_replay_values(halves[0], halves[1], HD_STEP_NAMES);
    if (rt->n_log && !rt->solo_fast)
        rt->shared->log[rt->n_log - 1].woken = thread + 1;
}
