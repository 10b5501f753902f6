/* oracle-direct: generated programs through heddle's explorer, without compiler, runtime and
 * processes.  The world that the explorer sees is the interpreter's machine, so what is tested
 * is the exploration alone, at a few hundred programs in a second. */
#include "direct.h"

#include "core/enabled.h"
#include "explore/order/hb.h"
#include "gen.h"
#include "invariant.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_BYTES (8ull << 30)
#define MOST_WITHIN 20000      /* interleavings within a bound */
#define MOST_INCOMPLETE 100000 /* executions of a reduction that has no measure in the traces */
#define MOST_STATES 200000     /* of a program with invariants */

static void publish(struct world *w)
{
    w->config.n_threads = w->m->program->n_threads;
    w->config.last = w->last;
    hd_tset_clear(&w->config.live);
    hd_tset_clear(&w->config.enabled);
    for (uint32_t t = 0; t < w->config.n_threads; t++) {
        if (w->state.life[t] != ORC_LIVE)
            continue;
        hd_tset_add(&w->config.live, t);
        bool gives_up = w->held >> t & 1 || orc_state_gives_up(w->m, &w->state, t);
        if (!gives_up && orc_state_choices(w->m, &w->state, t))
            hd_tset_add(&w->config.enabled, t);
        if (gives_up ||
            w->m->code[t][w->state.pc[t]].op < ORC_L_SET) /* not where an assertion failed */
            w->next[t] = orc_action_of(w, t);
    }
}

static uint64_t sync_state(void *self, uint64_t object)
{
    const struct world *w = self;
    uint32_t space = (uint32_t)((object - 0x100000ull) / 0x1000),
             i = (uint32_t)(object % 0x1000) / 64;
    const struct orc_state *s = &w->state;
    switch (space) {
    case ORC_SPACE_MUTEX:
        return s->owner[i] == ORC_NOBODY ? 0 : s->owner[i] + 1ull;
    case ORC_SPACE_RWLOCK:
        return (s->writer[i] == ORC_NOBODY ? 0 : s->writer[i] + 1ull) | (uint64_t)s->readers[i]
                                                                            << 32;
    case ORC_SPACE_SEM:
        return s->sem[i];
    case ORC_SPACE_BARRIER:
        return (uint64_t)w->m->program->barrier - s->arrived;
    default:
        return 0;
    }
}

static void peek(void *self, uint32_t thread, uint64_t addr, uint32_t size, uint64_t out[2])
{
    const struct world *w = self;
    (void)thread; /* all see the same memory */
    memset(out, 0, 16);
    memcpy(out, w->state.memory + (addr - ORC_ADDRESS), size);
}

static void expected(void *self, uint32_t thread, uint64_t out[2])
{
    const struct world *w = self;
    const struct orc_code *c = &w->m->code[thread][w->state.pc[thread]];
    uint32_t value = orc_evaluate(&c->expr, w->state.reg[thread]);
    if (c->op == ORC_V_RMW && c->rmw == ORC_RMW_SUB)
        value = -value;
    memset(out, 0, 16);
    memcpy(out, &value, c->size < 4 ? c->size : 4);
}

static enum hd_op outcome(void *self, uint32_t thread)
{
    struct world *w = self;
    const struct hd_action *a = &w->next[thread];
    uint64_t is[2], wants[2];
    if (a->op == HD_OP_WAKE)
        return w->state.queued[thread] ? HD_OP_TIMEOUT : HD_OP_WAKE;
    if (a->op != HD_OP_CAS)
        return hd_op_outcome((enum hd_op)a->op, a->size, sync_state(w, a->object));
    peek(w, thread, a->object, a->size, is);
    expected(w, thread, wants);
    return memcmp(is, wants, sizeof is) ? HD_OP_CAS_FAIL : HD_OP_CAS;
}

static uint32_t chosen(void *self, uint32_t thread, uint32_t choice)
{
    const struct world *w = self;
    const struct orc_code *c = &w->m->code[thread][w->state.pc[thread]];
    if (c->op != ORC_V_SIGNAL || w->state.n_queue[c->object] == 0)
        return ~0u;
    return w->state.queue[c->object][choice];
}

/* Evaluates them as the runtime does: what is read is added to the set, and actions are marked. */
static int32_t broken(void *self)
{
    struct world *w = self;
    uint8_t read[ORC_MAX_BYTES] = { 0 };
    int which = orc_invariants_broken(w->m->program, w->state.memory, read);
    w->config.seen = 0;
    for (uint32_t i = 0; i < ORC_MAX_BYTES; i++) {
        if (!read[i])
            continue;
        w->config.seen = w->config.seen * 0x100000001b3ull + (i << 8 | w->state.memory[i]) + 1;
        if (hd_readset_add(w->readset, ORC_ADDRESS + i, ORC_ADDRESS + i + 1))
            w->readset->grown = 1;
    }
    publish(w);
    return which;
}

static void describe(void *self, struct hd_finding *finding)
{
    struct world *w = self;
    finding->thread = w->last;
    if (finding->kind == HD_KIND_INVARIANT)
        w->broken[finding->line] = true;
    if (finding->kind == HD_KIND_DEADLOCK && !finding->partial)
        w->got.deadlocks++;
}

static bool compares(void *self)
{
    const struct world *w = self;
    for (uint32_t t = 0; t < w->m->program->n_threads; t++)
        for (uint32_t i = 0; i < w->m->n[t]; i++)
            if (w->m->code[t][i].op == ORC_V_CAS)
                return true;
    return false;
}

static void world_init(struct world *w, const struct orc_lowered *m, struct hd_readset *readset)
{
    w->m = m;
    w->depth = w->last = w->held = 0;
    memset(&w->got, 0, sizeof w->got);
    memset(w->broken, 0, sizeof w->broken);
    w->readset = m->program->n_invariants ? readset : NULL;
    w->config = (struct hd_config){ .next = w->next,
                                    .invariants = w->readset ? HD_WATCHES_INVARIANTS : 0 };
    w->world = (struct hd_world){ .self = w,
                                  .config = &w->config,
                                  .outcome = outcome,
                                  .sync_state = sync_state,
                                  .expected = expected,
                                  .peek = peek,
                                  .chosen = chosen,
                                  .compares = compares,
                                  .broken = broken,
                                  .describe = describe };
    orc_set_init(&w->finals);
    orc_state_init(m, &w->state);
    publish(w);
}

static void observe(struct world *w)
{
    bool all = w->m->program->joins_all, fresh;
    const uint8_t *bytes = all ? w->state.memory : w->state.memory + w->m->layout.obs;
    uint32_t n = all ? w->m->layout.size : 4;
    orc_set_get(&w->finals, orc_key_of(bytes, n), &fresh);
    if (fresh)
        w->got.finals_hash ^= orc_fnv1a(bytes, n);
    w->got.n_finals += fresh;
}

/* Do the step; what does the explorer say to the state after it? */
static struct hd_decision step(struct world *w, struct hd_explorer *ex, uint32_t alternative)
{
    struct orc_event event;
    uint16_t stmt;
    uint32_t t = HD_STEP_THREAD(alternative);
    bool before = w->state.observed;
    if (!hd_tset_has(&w->config.enabled, t))
        abort(); /* the explorer ran a thread that cannot move */
    w->held_before[w->depth] = w->held;
    w->undo[w->depth++] = w->state;
    enum orc_end end = orc_state_step(w->m, &w->state, t, HD_STEP_CHOICE(alternative), &event,
                                      &stmt);
    w->last = t;
    if (end == ORC_ASSUMED) { /* the section is undone, and the thread stands before it */
        uint32_t d = w->depth;
        while (w->undo[--d].inside)
            ;
        w->state = w->undo[d];
        w->held |= 1u << t;
        end = ORC_GOES_ON;
    }
    if (w->state.observed && !before)
        observe(w);
    publish(w);
    if (end == ORC_GOES_ON) {
        if (hd_tset_has(&w->config.enabled, t) && hd_explorer_fast_path(ex, t))
            return (struct hd_decision){ HD_RUN, HD_STEP_PACK(t, 0) };
        return hd_explorer_decide(ex);
    }
    w->got.ends[end]++;
    if (end == ORC_ENDED)
        return hd_explorer_ended(ex, NULL);
    *(end == ORC_ASSERTED ? &w->got.asserted[stmt] : &w->got.misused[stmt]) = true;
    struct hd_finding f = { .kind = end == ORC_ASSERTED ? HD_KIND_ASSERTION : HD_KIND_MISUSE,
                            .thread = t,
                            .site = stmt + 1u };
    return hd_explorer_ended(ex, &f);
}

static void explore(struct world *w, struct hd_explorer *ex)
{
    struct hd_decision d = hd_explorer_decide(ex);
    while (d.kind != HD_STOP) {
        if (d.kind == HD_RUN) {
            d = step(w, ex, d.arg);
            continue;
        }
        if (d.arg < w->depth) {
            w->state = w->undo[d.arg];
            w->held = w->held_before[d.arg];
        }
        w->depth = d.arg;
        w->last = d.arg ? HD_STEP_THREAD(ex->path.steps[d.arg - 1]) : 0;
        publish(w);
        hd_explorer_rewound(ex, d.arg);
        d = hd_explorer_decide(ex);
    }
}

struct chain {
    const char *name;
    uint32_t filters;
    bool unblocked;
    bool misses;   /* may miss behaviours: what it finds must be there */
    bool repeats;  /* traces may come again, at most as often as there are interleavings */
    uint8_t finer; /* enum orc_finer: goes with these */
    bool
        within; /* all that there is within a bound on preemptions, the program's number modulo 4 */
};

static const struct chain chains[] = {
    { .name = "optimal",
      .filters = HD_FILTER_OPTIMAL,
      .unblocked = true,
      .finer = ORC_FINER_RMW },
    { .name = "source", .filters = HD_FILTER_SOURCE, .finer = ORC_FINER_RMW },
    { .name = "dpor", .filters = HD_FILTER_DPOR, .finer = ORC_FINER_RMW },
    { .name = "dpor:plain", .filters = HD_FILTER_DPOR_PLAIN, .repeats = true },
    { .name = "sleep", .filters = HD_FILTER_SLEEP, .finer = ORC_FINER_RMW },
    { .name = "observers",
      .filters = HD_FILTER_OBSERVERS,
      .finer = ORC_FINER_RMW | ORC_FINER_OBSERVERS },
    { .name = "shared", .filters = HD_FILTER_SHARED, .misses = true },
    { .name = "sync-only", .filters = HD_FILTER_SYNC_ONLY, .misses = true },
    /* nothing is left out by super-step here (docs/scale.md), although it is refused */
    { .name = "source,super-step", .filters = HD_FILTER_SOURCE | HD_FILTER_SUPER_STEP },
    { .name = "dpor,super-step", .filters = HD_FILTER_DPOR | HD_FILTER_SUPER_STEP },
    { .name = "dpor:plain,super-step",
      .filters = HD_FILTER_DPOR_PLAIN | HD_FILTER_SUPER_STEP,
      .repeats = true },
    { .name = "bounded", .filters = HD_FILTER_DPOR | HD_FILTER_PREEMPTIONS, .within = true },
};

static struct hd_worker_memory *map(void)
{
    struct hd_worker_memory *s = mmap(NULL, sizeof *s + ARENA_BYTES, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED) {
        perror("oracle-direct: cannot map");
        exit(2);
    }
    return s;
}

struct numbers {
    uint64_t programs, failed, executions, blocked, with_blocked, missed, within, of, broken;
};

static bool same(const char *what, uint64_t expected_n, uint64_t got)
{
    if (expected_n != got)
        printf("    %s: expected %llu, got %llu\n", what, (unsigned long long)expected_n,
               (unsigned long long)got);
    return expected_n == got;
}

static bool among(const bool *got, const bool *there)
{
    for (uint32_t i = 0; i < ORC_MAX_STMTS; i++)
        if (got[i] && !there[i])
            return false;
    return true;
}

/* What it finds is there; whether it has missed something is counted. */
static bool judge_incomplete(const struct world *w, const struct orc_result *r,
                             const struct hd_counters *cnt, struct numbers *sum)
{
    bool ok = cnt->executions == MOST_INCOMPLETE || same("finished", 1, cnt->finished);
    ok &= same("assertions that are none", 0, !among(w->got.asserted, r->asserted));
    ok &= same("misuses that are none", 0, !among(w->got.misused, r->misused));
    if (w->got.n_finals > r->n_finals)
        ok &= same("final states at most", r->n_finals, w->got.n_finals);
    if (w->got.deadlocks && !r->deadlocks)
        ok &= same("deadlocks", 0, w->got.deadlocks);
    sum->missed += cnt->finished &&
                   (w->got.n_finals < r->n_finals || (r->deadlocks && !w->got.deadlocks) ||
                    !among(r->asserted, w->got.asserted) || !among(r->misused, w->got.misused));
    return ok;
}

/* All that brute force finds within the bound is found, and nothing else; traces may come
 * again.  What has been explored completely without reaching the bound is everything. */
static bool judge_within(const struct world *w, const struct orc_result *r,
                         const struct orc_result *within, const struct hd_counters *cnt,
                         struct numbers *sum)
{
    const struct orc_result *due = cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] ? within : r;
    uint64_t cut = r->ends[ORC_ASSERTED] + r->ends[ORC_MISUSED];
    bool ok = same("finished", 1, cnt->finished);
    ok &= same("final states", due->n_finals, w->got.n_finals);
    ok &= same("their hash", due->finals_hash, w->got.finals_hash);
    ok &= same("deadlocks", due->deadlocks > 0, w->got.deadlocks > 0);
    ok &= same("assertions", 0,
               memcmp(due->asserted, w->got.asserted, sizeof due->asserted) != 0);
    ok &= same("misuses", 0, memcmp(due->misused, w->got.misused, sizeof due->misused) != 0);
    if (cnt->executions > within->interleavings)
        ok &= same("executions at most", within->interleavings, cnt->executions);
    if (cut == 0 && cnt->executions < due->traces)
        ok &= same("executions at least", due->traces, cnt->executions);
    sum->within += cnt->executions;
    sum->of += within->interleavings;
    return ok;
}

static bool judge(const struct chain *chain, const struct world *w, const struct orc_result *r,
                  const struct hd_counters *cnt, struct numbers *sum)
{
    uint64_t cut = r->ends[ORC_ASSERTED] + r->ends[ORC_MISUSED];
    bool ok = same("finished", 1, cnt->finished);
    ok &= same("final states", r->n_finals, w->got.n_finals);
    ok &= same("their hash", r->finals_hash, w->got.finals_hash);
    ok &= same("deadlocks", r->deadlocks > 0, w->got.deadlocks > 0);
    ok &= same("assertions", 0, memcmp(r->asserted, w->got.asserted, sizeof r->asserted) != 0);
    ok &= same("misuses", 0, memcmp(r->misused, w->got.misused, sizeof r->misused) != 0);
    if (cut == 0 && !chain->repeats)
        ok &= same("executions", r->traces, cnt->executions);
    if (chain->repeats) {
        if (cut == 0 && cnt->executions < r->traces)
            ok &= same("executions at least", r->traces, cnt->executions);
        if (cnt->executions > r->interleavings)
            ok &= same("executions at most", r->interleavings, cnt->executions);
    } else if (cut == 0 && !(chain->finer & ORC_FINER_OBSERVERS) && !w->m->program->undoes)
        ok &= same("executions against an assumption", r->assumed, cnt->assumed);
    else if (cnt->executions > r->traces && !orc_program_chooses(w->m->program) &&
             !(chain->finer & ORC_FINER_OBSERVERS))
        ok &= same("executions at most", r->traces, cnt->executions);
    if (chain->unblocked && cut == 0) {
        sum->blocked += cnt->blocked;
        sum->with_blocked += cnt->blocked > 0;
        ok &= same("blocked", 0, cnt->blocked);
    }
    sum->executions += cnt->executions;
    return ok;
}

/* Which invariants are broken; where none is, all the rest too, and the traces are counted.  What
 * they read is what they read in some state. */
static bool judge_invariants(const struct chain *chain, const struct world *w,
                             const struct orc_result *r, const struct orc_broken *breaks,
                             const struct hd_counters *cnt, struct numbers *sum)
{
    bool ok = same("finished", 1, cnt->finished);
    for (uint32_t i = 0; i < ORC_MAX_INVARIANTS; i++)
        ok &= same(i ? "second invariant broken" : "first invariant broken", breaks->by[i],
                   w->broken[i]);
    ok &= same("changes that no step wrote", 0, cnt->invariants_unsure);
    for (uint32_t i = 0; i < ORC_MAX_BYTES; i++)
        ok &= same("byte read", breaks->read[i],
                   hd_readset_meets(w->readset, ORC_ADDRESS + i, ORC_ADDRESS + i + 1));
    return breaks->by[0] || breaks->by[1] ? ok : judge(chain, w, r, cnt, sum) && ok;
}

/* Explores once, or again with what invariants were seen to read, until that is all. */
static struct hd_explorer *explore_all(struct world *w, const struct orc_lowered *m,
                                       const struct hd_options *options,
                                       struct hd_worker_memory **last)
{
    struct hd_readset known = { .n = 0 };
    for (;;) {
        struct hd_worker_memory *shared = map();
        shared->options = *options;
        shared->readset = known;
        world_init(w, m, &shared->readset);
        struct hd_explorer *ex = hd_explorer_create(
            shared, (char *)shared + ((sizeof *shared + 4095) & ~4095ull), ARENA_BYTES - 4096,
            &w->world);
        explore(w, ex);
        *last = shared;
        if (shared->ctl.state != HD_STATE_GREW)
            return ex;
        known = shared->readset;
        known.grown = 0;
        orc_set_release(&w->finals);
        munmap(shared, sizeof *shared + ARENA_BYTES);
    }
}

static bool shuffled; /* --search dfs:SEED */

static void try_chain(const struct orc_program *p, const struct orc_lowered *m,
                      const struct orc_result *r, const struct orc_broken *breaks,
                      const struct chain *chain, bool told, struct numbers *sum)
{
    static struct world w;
    static struct orc_result within;
    uint32_t bound = chain->within ? p->seed % 4 : 0;
    if (chain->within)
        orc_brute_within(m, MOST_WITHIN, bound, &within);
    if (chain->within && within.overflow)
        return;
    struct hd_options options = { .mode = HD_MODE_EXPLORE,
                                  .paranoid = 1,
                                  .depth = HD_MAX_STEPS - 1,
                                  .keep_going = 1,
                                  .preemptions = bound,
                                  .max_executions = chain->misses ? MOST_INCOMPLETE : 0,
                                  .shuffled = shuffled,
                                  .seed = p->seed,
                                  .filters = chain->filters };
    struct hd_worker_memory *shared;
    struct hd_explorer *ex = explore_all(&w, m, &options, &shared);
    sum->programs++;
    uint64_t missed = sum->missed, blocked = sum->blocked;
    bool ok = breaks          ? judge_invariants(chain, &w, r, breaks, &shared->cnt, sum)
              : chain->misses ? judge_incomplete(&w, r, &shared->cnt, sum)
              : chain->within ? judge_within(&w, r, &within, &shared->cnt, sum)
                              : judge(chain, &w, r, &shared->cnt, sum);
    if (told && sum->missed > missed)
        printf("# seed %llu: %s misses something\n", (unsigned long long)p->seed, chain->name);
    if (told && sum->blocked > blocked)
        printf("# seed %llu: %llu blocked\n", (unsigned long long)p->seed,
               (unsigned long long)(sum->blocked - blocked));
    if (!ok) {
        printf("FAILED seed %llu: %s; %s\n", (unsigned long long)p->seed, chain->name, ex->error);
        sum->failed++;
    }
    orc_set_release(&w.finals);
    munmap(shared, sizeof *shared + ARENA_BYTES);
}

static void try_program(const struct orc_program *p, const struct orc_lowered *m,
                        const struct orc_result *r, const struct orc_broken *breaks,
                        const char *only, struct numbers *sum)
{
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const struct chain *chain = &chains[i];
        if ((only && strcmp(only, chain->name) != 0) || p->finer & ~chain->finer ||
            (chain->filters & HD_FILTER_OBSERVERS && !(p->finer & ORC_FINER_OBSERVERS)) ||
            (breaks && (chain->misses || chain->within)))
            continue;
        if (chain->within && p->undoes)
            continue; /* heddle leaves a thread freely that gives up in its next step */
        try_chain(p, m, r, breaks, chain, only != NULL, sum);
    }
}

/* Is that the next argument?  Then it is taken. */
static bool took(int *argc, char ***argv, const char *option)
{
    bool is = *argc > 1 && strcmp((*argv)[1], option) == 0;
    *argc -= is;
    *argv += is;
    return is;
}

int main(int argc, char **argv)
{
    static struct orc_program p;
    static struct orc_lowered m;
    static struct orc_result r;
    struct orc_limits limits = { .most = 2000 };
    struct numbers sum = { 0 };
    struct orc_broken breaks = { .overflow = false };
    while (argc > 1 && (!strcmp(argv[1], "--breaks") || !strcmp(argv[1], "--assumes") ||
                        !strcmp(argv[1], "--sections"))) {
        *(argv[1][2] == 'b'   ? &limits.breaks
          : argv[1][2] == 'a' ? &limits.assumes
                              : &limits.sections) = true;
        argc--;
        argv++;
    }
    bool invariants = took(&argc, &argv, "--invariants");
    limits.invariants = invariants;
    shuffled = took(&argc, &argv, "--shuffled");
    if (argc > 2 && strcmp(argv[1], "--sets") == 0) {
        hd_hb_most_sets = (uint32_t)strtoul(argv[2], NULL, 10);
        argc -= 2;
        argv += 2;
    }
    if (argc > 2 && strcmp(argv[1], "--finer") == 0) {
        limits.finer = orc_finer_by_name(argv[2]);
        argc -= 2;
        argv += 2;
    }
    if (argc < 2) {
        fputs(
            "usage: oracle-direct [--breaks] [--assumes] [--sections] [--invariants] [--shuffled] [--sets MOST] [--finer F] PROGRAMS [FIRST_SEED "
            "[CHAIN]]\n",
            stderr);
        return 2;
    }
    uint64_t n = strtoull(argv[1], NULL, 10), first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        orc_generate(seed, &limits, &p, &m, &r);
        if (invariants && !orc_invariants_give(&p, &m, MOST_STATES, &r, &breaks))
            continue;
        sum.broken += breaks.by[0] || breaks.by[1];
        try_program(&p, &m, &r, invariants ? &breaks : NULL, argc > 3 ? argv[3] : NULL, &sum);
    }
    printf(
        "# %llu checks, %llu executions; optimal: %llu blocked in %llu programs; shared and sync-only miss something in "
        "%llu; bounded: %llu executions of %llu interleavings\n",
        (unsigned long long)sum.programs, (unsigned long long)sum.executions,
        (unsigned long long)sum.blocked, (unsigned long long)sum.with_blocked,
        (unsigned long long)sum.missed, (unsigned long long)sum.within,
        (unsigned long long)sum.of);
    if (invariants)
        printf("# an invariant is broken in %llu programs\n", (unsigned long long)sum.broken);
    printf("%llu passed, %llu failed\n", (unsigned long long)(sum.programs - sum.failed),
           (unsigned long long)sum.failed);
    return sum.failed > 0;
}
