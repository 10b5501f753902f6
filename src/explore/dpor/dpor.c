#include "explore/dpor/dpor.h"

#include "core/dependence.h"
#include "core/enabled.h"

#include <string.h>

static bool could_await(const void *self, uint32_t e, uint32_t until, const struct hd_action *a);

/* Note what the places hold at which the thread waits, and what they held when it looked. */
static void note_await(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth, uint32_t thread,
                       const struct hd_action *a)
{
    uint64_t first[2] = { 0, 0 }, second[2] = { 0, 0 };
    if (a->size)
        ex->world.peek(ex->world.self, thread, a->object, a->size, first);
    if (a->size2)
        ex->world.peek(ex->world.self, thread, a->object2, a->size2, second);
    d->values[depth].before[0] = first[0];
    d->values[depth].before[1] = second[0];
    ex->world.expected(ex->world.self, thread, d->values[depth].expected);
}

/* What is to be known of the world before a step: */
enum {
    AWAITED = 1,  /* the values of a loop that waits */
    VALUE = 2,    /* what its memory holds */
    EXPECTED = 4, /* what a compare-exchange expects there */
    CHOSEN = 8,   /* the thread that it wakes */
    STATE = 16,   /* the state of its synchronisation object */
    FAILS = 32,   /* it may be an attempt that has failed */
};

/* Reads of memory and what is done to threads, half of all steps, need nothing: what a read
 * found is never put back. */
static uint8_t needs_of(enum hd_op op)
{
    const struct hd_op_row *row = &hd_op_table[op];
    bool outcome = hd_op_is_outcome(op) || hd_op_has_outcome(op);
    bool waits = hd_op_has(op, HD_OPTRAIT_BLOCKS), reads = row->access == HD_ACCESS_READ;
    uint8_t needs = 0;
    if (row->space == HD_SPACE_MEM && waits)
        needs = AWAITED;
    else if (row->space == HD_SPACE_MEM && (!reads || outcome))
        needs = outcome ? VALUE | EXPECTED : VALUE;
    else if (row->space == HD_SPACE_SYNC)
        needs = STATE;
    if (hd_op_has(op, HD_OPTRAIT_WAKES_ONE | HD_OPTRAIT_CANCELS))
        needs |= CHOSEN;
    return reads && needs ? needs | FAILS : needs;
}

/* The values that decide the outcome of a step are kept, so that its outcome without earlier
 * steps can be computed. */
bool hd_dpor_init(struct hd_dpor *d, struct hd_explorer *ex)
{
    d->values = hd_arena_take(&ex->arena, sizeof *d->values * (uint64_t)HD_MAX_STEPS);
    bool made = hd_hb_init(&d->hb, &ex->arena, false) && hd_sleep_init(&d->sleep, &ex->arena);
    bool compares = !ex->world.compares || ex->world.compares(ex->world.self) || ex->opt->finer;
    for (uint32_t op = 0; op < HD_OP_COUNT; op++) {
        uint8_t needs = needs_of((enum hd_op)op);
        d->needs[op] = needs == VALUE && !compares ? 0 : needs;
    }
    d->hb.could_await = could_await;
    d->hb.await_self = d;
    return made && d->values;
}

/* Note what the step needs.  `*chosen` is set by an operation that wakes a thread.  Returns the
 * state of its synchronisation object; 0 if it has none. */
static __attribute__((noinline)) uint64_t note(struct hd_dpor *d, struct hd_explorer *ex,
                                               uint32_t depth, uint32_t thread, uint32_t *chosen)
{
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint8_t what = d->needs[a->op];
    if (what & VALUE && a->size <= 16) {
        ex->world.peek(ex->world.self, thread, a->object, a->size, d->values[depth].before);
        if (what & EXPECTED || a->size2)
            ex->world.expected(ex->world.self, thread, d->values[depth].expected);
    }
    if (what & AWAITED)
        note_await(d, ex, depth, thread, a);
    if (what & CHOSEN)
        *chosen = ex->world.chosen(ex->world.self, thread, HD_STEP_CHOICE(ex->path.steps[depth]));
    return what & STATE ? hd_explorer_sync_state(ex, a) : 0;
}

static __attribute__((noinline)) void too_many_races(struct hd_explorer *ex)
{
    hd_explorer_give_up(ex, "an execution has more races than the reduction can keep: bound it "
                            "with --depth, or use --reduce sleep");
}

HD_HOT_ABROAD void hd_dpor_ran(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth,
                               bool clear)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t choice = HD_STEP_CHOICE(ex->path.steps[depth]);
    uint32_t chosen = ~0u;
    const struct hd_action *a = &ex->path.nodes[depth].action;
    d->ex = ex;
    uint8_t what = d->needs[a->op];
    uint64_t state = what ? note(d, ex, depth, thread, &chosen) : 0;
    if (!clear || what & FAILS)
        hd_sleep_ran(&d->sleep, ex, depth, thread, what & FAILS);
    hd_hb_ran(&d->hb, thread, a, chosen, choice, state);
    if (d->hb.full)
        too_many_races(ex);
}

HD_HOT bool quick(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth, uint64_t state)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    if (!hd_hb_simple(&d->hb, thread, &ex->path.nodes[depth].action, state))
        return false;
    if (d->hb.full)
        too_many_races(ex);
    return true;
}

static __attribute__((noinline)) bool quick_noted(struct hd_dpor *d, struct hd_explorer *ex,
                                                  uint32_t depth, uint8_t what)
{
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint64_t state = 0;
    if (what == STATE && !a->object2)
        state = ex->world.sync_state(ex->world.self, a->object);
    else if (what == VALUE && a->size <= 16 && !a->size2)
        ex->world.peek(ex->world.self, thread, a->object, a->size, d->values[depth].before);
    else
        state = note(d, ex, depth, thread, NULL);
    return quick(d, ex, depth, state);
}

HD_HOT_ABROAD bool hd_dpor_quick(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth)
{
    uint8_t what = d->needs[ex->path.nodes[depth].action.op];
    if (!what)
        return quick(d, ex, depth, 0);
    return !(what & ~(VALUE | EXPECTED | STATE)) && quick_noted(d, ex, depth, what);
}

/* Bring a thread that has not just run to the front. */
static void let_another(const struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t last = ex->world.config->last;
    for (uint32_t i = 0; i < n && HD_STEP_THREAD(alts[0]) == last; i++) {
        uint32_t first = alts[0];
        memmove(alts, alts + 1, (n - 1) * sizeof *alts);
        alts[n - 1] = first;
    }
}

/* How many alternatives the first thread has; they stand together. */
static uint32_t one_of(const uint32_t *alts, uint32_t n)
{
    uint32_t kept = 1;
    while (kept < n && HD_STEP_THREAD(alts[kept]) == HD_STEP_THREAD(alts[0]))
        kept++;
    return kept;
}

/* Bring the alternatives of one thread to the front, and return their number.  A thread that
 * holds a part of a mutex comes first, so that nobody else is in another part meanwhile
 * (core/lock_parts.h).  Next is one that has not started: its start races with nothing, and an
 * early start is shared by more executions; then the thread that has just run, where it would
 * go on, then the one that the search prefers, or the first.  Joins come last: there are many
 * of them, and nothing follows (fast_path.h). */
static uint32_t one_thread(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    const struct hd_action *next = ex->world.config->next;
    uint32_t last = ex->world.config->last, chosen = n;
    const struct hd_tset *sections = ex->world.config->sections;
    for (uint32_t i = 0; i < n && sections && chosen == n; i++)
        if (hd_tset_has(sections, HD_STEP_THREAD(alts[i])))
            chosen = i;
    for (uint32_t i = 0; i < n && (chosen == n || !sections); i++)
        if (next[HD_STEP_THREAD(alts[i])].op == HD_OP_START)
            chosen = i;
    for (uint32_t i = 0; i < n && chosen == n; i++)
        if (HD_STEP_THREAD(alts[i]) == last && hd_dpor_op_goes_on(next[last].op))
            chosen = i;
    if (chosen == n && ex->prefer)
        chosen = ex->prefer(ex, alts, n);
    for (uint32_t i = 0; i < n && chosen == n; i++)
        if (next[HD_STEP_THREAD(alts[i])].op != HD_OP_JOIN)
            chosen = i;
    if (chosen == n || chosen == 0)
        return one_of(alts, n);
    return hd_path_of_thread(alts, n, HD_STEP_THREAD(alts[chosen]));
}

uint32_t hd_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    n = hd_sleep_admit(&d->sleep, ex, alts, n);
    if (n && hd_dpor_was_alone(ex) && !hd_dpor_in_section(ex)) {
        let_another(ex, alts, n);
        return one_of(alts, n);
    }
    return n ? one_thread(ex, alts, n) : 0;
}

/* The last thread that is awake and has not started; HD_NO_SINGLE if all have. */
static inline uint32_t unstarted(const struct hd_dpor *d, const struct hd_config *config,
                                 uint64_t awake)
{
    for (uint64_t w = awake & ~d->hb.moved.w[0]; __builtin_expect(w != 0, 0);) {
        uint32_t thread = 63 - (uint32_t)__builtin_clzll(w);
        if (config->next[thread].op == HD_OP_START)
            return thread;
        w &= ~(1ull << thread);
    }
    return HD_NO_SINGLE;
}

/* The first thread that is not about to join another; the first if all are. */
static inline uint32_t first_of(const struct hd_config *config, uint64_t awake)
{
    for (uint64_t w = awake; w; w &= w - 1)
        if (config->next[__builtin_ctzll(w)].op != HD_OP_JOIN)
            return (uint32_t)__builtin_ctzll(w);
    return (uint32_t)__builtin_ctzll(awake);
}

/* Is `thread`, which is not about to join another, the one that first_of() returns? */
static inline bool is_first_of(const struct hd_config *config, uint64_t awake, uint32_t thread)
{
    uint64_t bit = 1ull << thread;
    for (uint64_t w = awake & (bit - 1); w; w &= w - 1)
        if (config->next[__builtin_ctzll(w)].op != HD_OP_JOIN)
            return false;
    return awake & bit;
}

HD_HOT_ABROAD uint64_t hd_dpor_awake(const struct hd_dpor *d, const struct hd_explorer *ex)
{
    hd_tset_clear(&d->sleep.wakeful[ex->path.depth]);
    return ex->world.config->enabled.w[0] & ~d->sleep.asleep[ex->path.depth].w[0];
}

HD_HOT_ABROAD uint32_t hd_dpor_single_among(const struct hd_dpor *d, const struct hd_explorer *ex,
                                            uint64_t awake)
{
    const struct hd_config *config = ex->world.config;
    if (!awake || hd_dpor_was_alone(ex))
        return HD_NO_SINGLE;
    uint32_t fresh = unstarted(d, config, awake), last = config->last; /* as one_thread() */
    if (fresh != HD_NO_SINGLE)
        return fresh;
    if (last < 64 && awake >> last & 1 && hd_dpor_op_goes_on(config->next[last].op))
        return last;
    return first_of(config, awake);
}

uint32_t hd_dpor_single(struct hd_dpor *d, const struct hd_explorer *ex)
{
    return hd_dpor_single_among(d, ex, hd_dpor_awake(d, ex));
}

HD_HOT_ABROAD bool hd_dpor_goes_on_among(const struct hd_dpor *d, const struct hd_explorer *ex,
                                         uint32_t thread, uint64_t awake)
{
    const struct hd_config *config = ex->world.config;
    if (unstarted(d, config, awake) != HD_NO_SINGLE)
        return false;
    if (hd_dpor_op_goes_on(config->next[thread].op))
        return awake >> thread & 1;
    return is_first_of(config, awake, thread) && !hd_dpor_was_alone(ex);
}

bool hd_dpor_goes_on(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t thread)
{
    return hd_dpor_goes_on_among(d, ex, thread, hd_dpor_awake(d, ex));
}

/* The effects of g, and of everything that happens after e, have been taken back.  Redo the
 * operations that commute with g, came after it and do not happen after e. g is the first of
 * its group that was taken back.  If there is such an operation, nothing else that was taken
 * back touched the bytes before. */
static void do_again(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                     uint32_t g, uint32_t until, uint64_t addr, uint32_t size, uint8_t *bytes)
{
    const struct hd_action *mine = &ex->path.nodes[g].action;
    uint64_t value[2] = { d->values[g].before[0], d->values[g].before[1] };
    bool any = false;
    for (uint32_t f = g + 1; f < until; f++) {
        const struct hd_action *a = &ex->path.nodes[f].action;
        if (hd_action_commuting(a) != hd_action_commuting(mine) || hd_hb_before(&d->hb, e, f))
            continue;
        hd_action_combine(mine, value, d->values[f].expected);
        any = true;
    }
    for (uint32_t i = 0; any && i < mine->size; i++)
        if (mine->object + i - addr < size)
            bytes[mine->object + i - addr] = ((const uint8_t *)value)[i];
}

/* Redo, for every group of operations that commute, those that do not happen after e. */
static void do_others_again(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                            uint32_t until, uint64_t addr, uint32_t size, uint8_t *bytes)
{
    for (uint32_t g = e; g < until; g++) {
        const struct hd_action *a = &ex->path.nodes[g].action;
        uint64_t commutes = hd_action_commuting(a);
        bool first = commutes && a->object < addr + size && addr < a->object + a->size &&
                     hd_hb_before(&d->hb, e, g);
        for (uint32_t f = e; first && f < g; f++)
            first = hd_action_commuting(&ex->path.nodes[f].action) != commutes ||
                    !hd_hb_before(&d->hb, e, f);
        if (first)
            do_again(d, ex, e, g, until, addr, size, bytes);
    }
}

/* Bytes [addr, addr + size) as they would be if e, and all that happens after it, had not come
 * before event `until`: their writes are taken back, newest first.  Returns false if they wrote
 * more than is kept. */
static bool taken_back(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                       uint32_t until, uint64_t addr, uint32_t size, uint8_t *bytes)
{
    for (uint32_t f = until; f-- > e;) {
        const struct hd_action *a = &ex->path.nodes[f].action;
        const struct hd_op_row *row = &hd_op_table[a->op];
        if (row->space != HD_SPACE_MEM || row->access != HD_ACCESS_WRITE ||
            a->object >= addr + size || addr >= a->object + a->size ||
            !hd_hb_before(&d->hb, e, f))
            continue;
        if (a->size > 16)
            return false;
        const uint8_t *before = (const uint8_t *)d->values[f].before;
        for (uint32_t i = 0; i < a->size; i++)
            if (a->object + i - addr < size)
                bytes[a->object + i - addr] = before[i];
    }
    if (d->hb.groups)
        do_others_again(d, ex, e, until, addr, size, bytes);
    return true;
}

/* What a compare-exchange would have found without e and everything that happens after e. */
static bool value_without(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                          uint32_t event, uint8_t bytes[16])
{
    const struct hd_action *mine = &ex->path.nodes[event].action;
    memcpy(bytes, d->values[event].before, 16);
    return taken_back(d, ex, e, event, mine->object, mine->size, bytes);
}

static bool could_await(const void *self, uint32_t e, uint32_t until, const struct hd_action *a)
{
    const struct hd_dpor *d = self;
    const struct hd_dpor_value *v = &d->values[until];
    uint64_t held[2] = { v->before[0], v->before[1] };
    if (a->size && !taken_back(d, d->ex, e, until, a->object, a->size, (uint8_t *)&held[0]))
        return true;
    if (a->size2 && !taken_back(d, d->ex, e, until, a->object2, a->size2, (uint8_t *)&held[1]))
        return true;
    return held[0] != v->expected[0] || held[1] != v->expected[1];
}

/* The action of the later event of a race when it comes before the earlier one, e. */
static struct hd_action reversed(const struct hd_dpor *d, const struct hd_explorer *ex,
                                 uint32_t e, uint32_t event)
{
    struct hd_action late = ex->path.nodes[event].action;
    const struct hd_action *early = &ex->path.nodes[e].action;
    enum hd_op attempt = hd_op_attempt((enum hd_op)late.op);
    uint8_t bytes[16];
    if (!hd_op_has_outcome(attempt) || hd_op_outcome_alike(attempt))
        return late;
    if (attempt == HD_OP_CAS) {
        bool fails = value_without(d, ex, e, event, bytes) &&
                     memcmp(bytes, d->values[event].expected, 16) != 0;
        late.op = fails ? HD_OP_CAS_FAIL : HD_OP_CAS;
    } else if (hd_op_table[early->op].access == HD_ACCESS_WRITE &&
               (early->object == late.object || early->object2 == late.object)) {
        /* all later operations on the object happen after e: it is as e found it */
        late.op = (uint8_t)hd_op_outcome(attempt, late.size, d->hb.events[e].state);
    }
    return late;
}

struct hd_late hd_dpor_late(const struct hd_dpor *d, const struct hd_explorer *ex, uint64_t i)
{
    struct hd_hb_race r = d->hb.races[i];
    const struct hd_hb_event *e = &d->hb.events[r.late];
    return (struct hd_late){ .thread = e->thread,
                             .event = r.late,
                             .newest = i == e->races,
                             .action = reversed(d, ex, r.early, r.late) };
}

void hd_dpor_races_of(struct hd_dpor *d, struct hd_explorer *ex, uint32_t event, void *reduction,
                      hd_dpor_race_fn *race)
{
    uint64_t end = hd_hb_races_end(&d->hb, event);
    for (uint64_t i = d->hb.events[event].races; i < end; i++) {
        struct hd_late late = hd_dpor_late(d, ex, i);
        race(reduction, ex, d->hb.races[i].early, &late);
    }
}

void hd_dpor_changed_races(struct hd_dpor *d, struct hd_explorer *ex, void *reduction,
                           hd_dpor_race_fn *race)
{
    for (uint64_t i = 0; i < d->hb.n_races; i++) {
        struct hd_hb_race r = d->hb.races[i];
        uint16_t op = ex->path.nodes[r.late].action.op;
        if (!hd_op_failed((enum hd_op)op))
            continue;
        struct hd_late late = { .thread = d->hb.events[r.late].thread,
                                .event = r.late,
                                .whole = true,
                                .action = reversed(d, ex, r.early, r.late) };
        if (late.action.op != op)
            race(reduction, ex, r.early, &late);
    }
}

/* A blocked thread could have got what it waits for before the thread that holds it.  If the
 * last step ended all threads, what that step released came too late. */
static void races_of_blocked(struct hd_dpor *d, struct hd_explorer *ex, bool all_ended,
                             void *reduction, hd_dpor_race_fn *race)
{
    const struct hd_config *config = ex->world.config;
    struct hd_tset moved = config->enabled;
    if (all_ended) {
        uint32_t last = hd_explorer_section_of(ex, d->hb.depth - 1);
        hd_path_all(&ex->path, last);
        const uint32_t *alts = hd_path_alts(&ex->path, last);
        hd_tset_clear(&moved);
        for (uint32_t i = 0; i < ex->path.nodes[last].n_alts; i++)
            hd_tset_add(&moved, HD_STEP_THREAD(alts[i]));
    }
    for (uint32_t t = 0; t < config->n_threads; t++) {
        uint64_t waiting = (config->live.w[t >> 6] & ~moved.w[t >> 6]) >> (t & 63);
        if (!waiting) { /* no thread in the rest of the word waits */
            t |= 63;
            continue;
        }
        if (!(waiting & 1))
            continue;
        uint32_t by[HD_MOST_BLOCKERS];
        if (config->next[t].op == HD_OP_AWAIT)
            note_await(d, ex, d->hb.depth, t, &config->next[t]);
        uint32_t n = hd_hb_blocked_by(&d->hb, t, &config->next[t],
                                      hd_explorer_sync_state(ex, &config->next[t]), by);
        struct hd_late late = { .thread = t, .event = HD_NO_EVENT, .action = config->next[t] };
        for (uint32_t i = 0; i < n; i++)
            race(reduction, ex, by[i], &late);
    }
}

/* The last event ended all threads.  The last events of other threads could have come after it,
 * and their next actions before it. */
static void races_of_last(struct hd_dpor *d, struct hd_explorer *ex, bool with_past,
                          void *reduction, hd_dpor_race_fn *race)
{
    uint32_t last = d->hb.depth - 1, thread = d->hb.events[last].thread;
    struct hd_late late = { .thread = thread,
                            .event = last,
                            .action = ex->path.nodes[last].action };
    late.action.op = HD_OP_END;
    _Alignas(16) uint32_t known[HD_MAX_THREADS];
    memcpy(known, hd_hb_row(&d->hb, last), 4ull * d->hb.width);
    for (uint32_t e = last; with_past && e-- > 0;) { /* newest first */
        if (hd_hb_known(&d->hb, known, e))
            continue;
        race(reduction, ex, e, &late);
        hd_hb_follow(&d->hb, known, e);
    }
    uint32_t first = hd_explorer_section_of(ex, last);
    hd_path_all(&ex->path, first);
    const struct hd_node *node = &ex->path.nodes[first];
    const uint32_t *alts = hd_path_alts(&ex->path, first);
    struct hd_tset others = { { 0 } };
    for (uint32_t i = 0; i < node->n_alts; i++)
        hd_tset_add(&others, HD_STEP_THREAD(alts[i]));
    hd_tset_del(&others, thread);
    for (uint32_t t = 0; t < ex->world.config->n_threads; t++) {
        struct hd_late next = { .thread = t,
                                .event = HD_NO_EVENT,
                                .action = ex->world.config->next[t] };
        if (!hd_tset_has(&others, t))
            continue;
        if (!with_past) /* the end of the process has left memory as it was */
            next.action = hd_explorer_outcome(ex, t);
        race(reduction, ex, first, &next);
    }
}

void hd_dpor_races_of_end(struct hd_dpor *d, struct hd_explorer *ex,
                          const struct hd_finding *finding, void *reduction,
                          hd_dpor_race_fn *race)
{
    hd_sleep_ended(&d->sleep, ex, finding);
    if (d->hb.depth == 0)
        return;
    bool broken = finding && finding->kind != HD_KIND_DEADLOCK;
    bool end = ex->path.nodes[d->hb.depth - 1].action.op == HD_OP_END;
    races_of_blocked(d, ex, end || broken, reduction, race);
    if (end)
        races_of_last(d, ex, false, reduction,
                      race); /* races with earlier events belong to its event */
    else if (broken)
        races_of_last(d, ex, true, reduction, race);
}

bool hd_dpor_before_late(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t f,
                         const struct hd_late *late)
{
    const struct hd_hb *hb = &d->hb;
    bool pending = late->event == HD_NO_EVENT;
    uint32_t last = pending ? hb->last[late->thread] : hb->events[late->event].before;
    uint32_t wake = pending ? hb->wake[late->thread] : hb->events[late->event].wake;
    return hd_action_dependent(&ex->path.nodes[f].action, &late->action) ||
           (last != HD_NO_EVENT && hd_hb_before(hb, f, last)) ||
           (wake != HD_NO_EVENT && hd_hb_before(hb, f, wake));
}

struct hd_tset hd_dpor_initials(struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                                const struct hd_late *late, uint32_t *first)
{
    struct hd_tset initials = { { 0 } }, met = { { 0 } };
    uint32_t end = late->event == HD_NO_EVENT || late->whole ? d->hb.depth : late->event;
    bool late_begins = true;
    *first = ~0u;
    for (uint32_t f = e + 1; f < end; f++) {
        uint32_t t = d->hb.events[f].thread;
        if (hd_hb_before(&d->hb, e, f)) /* so does the late event itself */
            continue;
        if (*first == ~0u)
            *first = t;
        late_begins = late_begins && t != late->thread && !hd_dpor_before_late(d, ex, f, late);
        if (!hd_tset_has(&met, t)) {
            hd_tset_add(&met, t);
            if (hd_hb_initial(&d->hb, f, e))
                hd_tset_add(&initials, t);
        }
    }
    if (late_begins) {
        hd_tset_add(&initials, late->thread);
        *first = late->thread;
    }
    return initials;
}

void hd_dpor_open_one(struct hd_dpor *d, struct hd_explorer *ex, uint32_t e,
                      const struct hd_tset *initials, uint32_t first)
{
    const struct hd_node *node = &ex->path.nodes[e];
    const uint32_t *alts = hd_path_alts(&ex->path, e);
    for (uint32_t i = 0; i < hd_tset_words(d->hb.n_threads); i++)
        if (initials->w[i] & d->sleep.asleep[e].w[i])
            return;
    for (uint32_t i = 0; i < node->n_open; i++)
        if (hd_tset_has(initials, HD_STEP_THREAD(alts[i])))
            return;
    hd_explorer_add(ex, e, first);
}
