/* oracle-direct: generated programs through heddle's explorer, without compiler, runtime and
 * processes.  The world that the explorer sees is the interpreter's machine, so what is tested
 * is the exploration alone, at a few hundred programs in a second. */
#include "core/enabled.h"
#include "explore/explorer.h"
#include "explore/hb.h"
#include "gen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_BYTES (8ull << 30)
#define MOST_WITHIN 20000      /* interleavings within a bound */
#define MOST_INCOMPLETE 100000 /* executions of a reduction that has no measure in the traces */
#define MEMORY 0x10000ull      /* addresses of shared bytes begin here */
#define OBJECT(space, i) (0x100000ull + 0x1000ull * (space) + 64ull * (i))

struct world {
    const struct orc_lowered *m;
    struct orc_state state, undo[ORC_MAX_STEPS + 1];
    uint32_t depth, last;
    struct hd_config config;
    struct hd_action next[ORC_MAX_THREADS];
    struct hd_world world;
    struct orc_set finals;
    struct orc_result got;
};

static enum hd_op op_of(const struct world *w, uint32_t t, const struct orc_code *c)
{
    bool own = c->object < ORC_MAX_MUTEXES && w->state.owner[c->object] == t;
    bool again = own && w->m->program->mutexes[c->object] == ORC_RECURSIVE;
    static const uint16_t ops[] = {
        [ORC_V_START] = HD_OP_START,
        [ORC_V_EXIT] = HD_OP_EXIT,
        [ORC_V_END] = HD_OP_END,
        [ORC_V_READ] = HD_OP_READ,
        [ORC_V_WRITE] = HD_OP_WRITE,
        [ORC_V_COPY] = HD_OP_COPY,
        [ORC_V_FILL] = HD_OP_WRITE,
        [ORC_V_WRITE_OBS] = HD_OP_WRITE,
        [ORC_V_RMW] = HD_OP_RMW,
        [ORC_V_CAS] = HD_OP_CAS,
        [ORC_V_LOCK] = HD_OP_LOCK,
        [ORC_V_UNLOCK] = HD_OP_UNLOCK,
        [ORC_V_TRYLOCK] = HD_OP_TRYLOCK,
        [ORC_V_WAIT] = HD_OP_WAIT,
        [ORC_V_RELOCK] = HD_OP_RELOCK,
        [ORC_V_SIGNAL] = HD_OP_SIGNAL,
        [ORC_V_BROADCAST] = HD_OP_BROADCAST,
        [ORC_V_TIMEDLOCK] = HD_OP_TIMEDLOCK,
        [ORC_V_TIMEDWAIT] = HD_OP_TIMEDWAIT,
        [ORC_V_WAKE] = HD_OP_WAKE,
        [ORC_V_CLOCK] = HD_OP_SLEEP,
        [ORC_V_RDLOCK] = HD_OP_RDLOCK,
        [ORC_V_WRLOCK] = HD_OP_WRLOCK,
        [ORC_V_RWUNLOCK] = HD_OP_RWUNLOCK,
        [ORC_V_TRYRDLOCK] = HD_OP_TRYRDLOCK,
        [ORC_V_TRYWRLOCK] = HD_OP_TRYWRLOCK,
        [ORC_V_SEM_WAIT] = HD_OP_SEM_WAIT,
        [ORC_V_SEM_POST] = HD_OP_SEM_POST,
        [ORC_V_SEM_TRYWAIT] = HD_OP_SEM_TRYWAIT,
        [ORC_V_ARRIVE] = HD_OP_ARRIVE,
        [ORC_V_LEAVE] = HD_OP_LEAVE,
        [ORC_V_CHOOSE] = HD_OP_CHOOSE,
        [ORC_V_YIELD] = HD_OP_YIELD,
        [ORC_V_CREATE] = HD_OP_CREATE,
        [ORC_V_READ_TID] = HD_OP_CHOOSE,
        [ORC_V_JOIN] = HD_OP_JOIN,
        [ORC_V_DETACH] = HD_OP_DETACH,
    };
    if (c->op == ORC_L_ASSUME)
        return HD_OP_ASSUME;
    if ((c->op == ORC_V_RELOCK || c->op == ORC_V_LEAVE) && w->state.queued[t])
        return HD_OP_BLOCKED;
    if (c->op == ORC_V_LOCK && own)
        return HD_OP_LOCK_AGAIN;
    if (c->op == ORC_V_TRYLOCK && again)
        return HD_OP_LOCK_AGAIN;
    if (c->op == ORC_V_UNLOCK && own && w->state.count[c->object] > 1)
        return HD_OP_UNLOCK_AGAIN;
    return (enum hd_op)ops[c->op];
}

static enum orc_space space_of(uint8_t op)
{
    switch (op) {
    case ORC_V_LOCK:
    case ORC_V_UNLOCK:
    case ORC_V_TRYLOCK:
    case ORC_V_TIMEDLOCK:
    case ORC_V_RELOCK:
        return ORC_SPACE_MUTEX;
    case ORC_V_RDLOCK:
    case ORC_V_WRLOCK:
    case ORC_V_RWUNLOCK:
    case ORC_V_TRYRDLOCK:
    case ORC_V_TRYWRLOCK:
        return ORC_SPACE_RWLOCK;
    case ORC_V_SEM_WAIT:
    case ORC_V_SEM_POST:
    case ORC_V_SEM_TRYWAIT:
        return ORC_SPACE_SEM;
    case ORC_V_ARRIVE:
    case ORC_V_LEAVE:
        return ORC_SPACE_BARRIER;
    case ORC_V_CLOCK:
        return ORC_SPACE_CLOCK;
    default:
        return ORC_SPACE_COND;
    }
}

static uint32_t commuting_of(uint8_t rmw)
{
    static const uint8_t kinds[] = { [ORC_RMW_ADD] = HD_COMMUTES_ADD,
                                     [ORC_RMW_SUB] = HD_COMMUTES_ADD,
                                     [ORC_RMW_OR] = HD_COMMUTES_OR,
                                     [ORC_RMW_XOR] = HD_COMMUTES_XOR,
                                     [ORC_RMW_XCHG] = HD_COMMUTES_NOT };
    return kinds[rmw];
}

static struct hd_action action_of(const struct world *w, uint32_t t)
{
    const struct orc_code *c = &w->m->code[t][w->state.pc[t]];
    uint32_t choices = orc_state_choices(w->m, &w->state, t);
    struct hd_action a = { .op = (uint16_t)op_of(w, t, c),
                           .choices = (uint16_t)(choices ? choices : 1),
                           .site = (t + 1) * 1000 + w->state.pc[t] };
    const struct hd_op_row *row = &hd_op_table[a.op];
    if (row->space == HD_SPACE_MEM) {
        a.object = MEMORY + c->offset;
        a.size = c->size;
        if (c->op == ORC_V_COPY)
            a.object2 = MEMORY + c->offset2;
        if (c->op == ORC_V_RMW && c->blind && w->m->program->finer & ORC_FINER_RMW)
            a.size2 = commuting_of(c->rmw);
    } else if (row->space == HD_SPACE_THREAD) {
        a.object = c->op == ORC_V_START || c->op == ORC_V_EXIT ? t : c->object;
    } else if (row->space == HD_SPACE_SYNC) {
        uint32_t object = c->op == ORC_V_RELOCK  ? c->object2
                          : c->op == ORC_V_CLOCK ? 0
                                                 : c->object;
        a.object = OBJECT(space_of(c->op), object);
        if (hd_op_gives_mutex((enum hd_op)a.op))
            a.object2 = OBJECT(ORC_SPACE_MUTEX, c->object2);
    }
    return a;
}

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
        bool gives_up = orc_state_gives_up(w->m, &w->state, t); /* to heddle it waits for ever */
        if (!gives_up && orc_state_choices(w->m, &w->state, t))
            hd_tset_add(&w->config.enabled, t);
        if (gives_up ||
            w->m->code[t][w->state.pc[t]].op < ORC_L_SET) /* not where an assertion failed */
            w->next[t] = action_of(w, t);
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

static void peek(void *self, uint64_t addr, uint32_t size, uint64_t out[2])
{
    const struct world *w = self;
    memset(out, 0, 16);
    memcpy(out, w->state.memory + (addr - MEMORY), size);
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
    peek(w, a->object, a->size, is);
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

static void describe(void *self, struct hd_finding *finding)
{
    struct world *w = self;
    finding->thread = w->last;
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

static void world_init(struct world *w, const struct orc_lowered *m)
{
    w->m = m;
    w->depth = w->last = 0;
    memset(&w->got, 0, sizeof w->got);
    w->config = (struct hd_config){ .next = w->next };
    w->world = (struct hd_world){ .self = w,
                                  .config = &w->config,
                                  .outcome = outcome,
                                  .sync_state = sync_state,
                                  .expected = expected,
                                  .peek = peek,
                                  .chosen = chosen,
                                  .compares = compares,
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

/* Do the step; what does the explorer say to the state behind it? */
static struct hd_decision step(struct world *w, struct hd_explorer *ex, uint32_t alternative)
{
    struct orc_event event;
    uint16_t stmt;
    uint32_t t = HD_STEP_THREAD(alternative);
    bool before = w->state.observed;
    if (!hd_tset_has(&w->config.enabled, t))
        abort(); /* the explorer ran a thread that cannot move */
    w->undo[w->depth++] = w->state;
    enum orc_end end = orc_state_step(w->m, &w->state, t, HD_STEP_CHOICE(alternative), &event,
                                      &stmt);
    w->last = t;
    if (w->state.observed && !before)
        observe(w);
    publish(w);
    if (end == ORC_GOES_ON)
        return hd_explorer_decide(ex);
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
        if (d.arg < w->depth)
            w->state = w->undo[d.arg];
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
    { .name = "sleep", .filters = HD_FILTER_SLEEP, .finer = ORC_FINER_RMW },
    { .name = "observers",
      .filters = HD_FILTER_OBSERVERS,
      .finer = ORC_FINER_RMW | ORC_FINER_OBSERVERS },
    { .name = "shared", .filters = HD_FILTER_SHARED, .misses = true },
    { .name = "bounded", .filters = HD_FILTER_DPOR | HD_FILTER_PREEMPTIONS, .within = true },
};

static struct hd_shared *map(void)
{
    struct hd_shared *s = mmap(NULL, sizeof *s + ARENA_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED) {
        perror("oracle-direct: cannot map");
        exit(2);
    }
    return s;
}

struct numbers {
    uint64_t programs, failed, executions, blocked, with_blocked, missed, within, of;
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
    const struct orc_result *due = cnt->preemption_reached ? within : r;
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
    if (cut == 0)
        ok &= same("executions", r->traces, cnt->executions);
    if (cut == 0 && !(chain->finer & ORC_FINER_OBSERVERS))
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

static void try_program(const struct orc_program *p, const struct orc_lowered *m,
                        const struct orc_result *r, const char *only, struct numbers *sum)
{
    static struct world w;
    static struct orc_result within;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        if ((only && strcmp(only, chains[i].name) != 0) || p->finer & ~chains[i].finer ||
            (chains[i].filters & HD_FILTER_OBSERVERS && !(p->finer & ORC_FINER_OBSERVERS)))
            continue;
        uint32_t bound = chains[i].within ? p->seed % 4 : 0;
        if (chains[i].within)
            orc_brute_within(m, MOST_WITHIN, bound, &within);
        if (chains[i].within && within.overflow)
            continue;
        struct hd_shared *shared = map();
        shared->options =
            (struct hd_options){ .mode = HD_MODE_EXPLORE,
                                 .depth = HD_MAX_STEPS - 1,
                                 .keep_going = 1,
                                 .preemptions = bound,
                                 .max_executions = chains[i].misses ? MOST_INCOMPLETE : 0,
                                 .filters = chains[i].filters };
        world_init(&w, m);
        struct hd_explorer *ex = hd_explorer_create(
            shared, (char *)shared + ((sizeof *shared + 4095) & ~4095ull), ARENA_BYTES - 4096,
            &w.world);
        explore(&w, ex);
        sum->programs++;
        uint64_t missed = sum->missed, blocked = sum->blocked;
        bool ok = chains[i].misses   ? judge_incomplete(&w, r, &shared->cnt, sum)
                  : chains[i].within ? judge_within(&w, r, &within, &shared->cnt, sum)
                                     : judge(&chains[i], &w, r, &shared->cnt, sum);
        if (only && sum->missed > missed)
            printf("# seed %llu: %s misses something\n", (unsigned long long)p->seed, only);
        if (only && sum->blocked > blocked)
            printf("# seed %llu: %llu blocked\n", (unsigned long long)p->seed,
                   (unsigned long long)(sum->blocked - blocked));
        if (!ok) {
            printf("FAILED seed %llu: %s; %s\n", (unsigned long long)p->seed, chains[i].name,
                   ex->error);
            sum->failed++;
        }
        orc_set_release(&w.finals);
        munmap(shared, sizeof *shared + ARENA_BYTES);
    }
}

int main(int argc, char **argv)
{
    static struct orc_program p;
    static struct orc_lowered m;
    static struct orc_result r;
    struct orc_limits limits = { .most = 2000 };
    struct numbers sum = { 0 };
    while (argc > 1 && (!strcmp(argv[1], "--breaks") || !strcmp(argv[1], "--assumes"))) {
        *(argv[1][2] == 'b' ? &limits.breaks : &limits.assumes) = true;
        argc--;
        argv++;
    }
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
            "usage: oracle-direct [--breaks] [--assumes] [--sets MOST] [--finer F] PROGRAMS [FIRST_SEED "
            "[CHAIN]]\n",
            stderr);
        return 2;
    }
    uint64_t n = strtoull(argv[1], NULL, 10), first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        orc_generate(seed, &limits, &p, &m, &r);
        try_program(&p, &m, &r, argc > 3 ? argv[3] : NULL, &sum);
    }
    printf(
        "# %llu checks, %llu executions; optimal: %llu blocked in %llu programs; shared misses something in "
        "%llu; bounded: %llu executions of %llu interleavings\n",
        (unsigned long long)sum.programs, (unsigned long long)sum.executions,
        (unsigned long long)sum.blocked, (unsigned long long)sum.with_blocked,
        (unsigned long long)sum.missed, (unsigned long long)sum.within,
        (unsigned long long)sum.of);
    printf("%llu passed, %llu failed\n", (unsigned long long)(sum.programs - sum.failed),
           (unsigned long long)sum.failed);
    return sum.failed > 0;
}
