#include "explore/states/persistent_set.h"

#include "core/pack_parts.h"
#include "explore/states/scale.h"

#include <string.h>

#define LONGEST 256u
#define MOST_BYTES 32768u /* of a range that is examined byte by byte */

#define LIFE(thread) (HD_TOUCH_THREAD | 1ull << 40 | (uint64_t)(thread) << 3)
#define ALL (HD_TOUCH_THREAD | 1ull << 41)

struct hd_persistent_set *hd_persistent_set_create(struct hd_explorer *ex, size_t bytes)
{
    struct hd_persistent_set *s = hd_arena_take(&ex->arena, bytes);
    if (!s || !hd_access_summary_init(&s->seen, &ex->arena) ||
        !hd_access_summary_init(&s->passed, &ex->arena))
        return NULL;
    s->ex = ex;
    s->at = hd_arena_take(&ex->arena, sizeof *s->at * (uint64_t)(HD_MAX_STEPS + 1));
    return s->at ? s : NULL;
}

static struct hd_touch point(uint64_t at, bool writes)
{
    return (struct hd_touch){ at, at + 8, writes };
}

/* ---- locks ---- */

static bool takes_mutex(uint32_t op) { return hd_op_has((enum hd_op)op, HD_OPTRAIT_MUTEX); }

/* The lock's bit; 0 if it has none. */
static uint64_t bit_of(struct hd_persistent_set *s, uint64_t object, bool add)
{
    uint32_t i = 0;
    while (i < s->n_locks && s->locks[i] != object)
        i++;
    if (i == s->n_locks && (!add || i == HD_MAX_LOCKS))
        return 0;
    if (i == s->n_locks)
        s->locks[s->n_locks++] = object;
    return 1ull << i;
}

static void update_lock(struct hd_persistent_set *s, uint32_t thread, uint64_t object, bool add,
                        uint64_t *held)
{
    uint64_t bit = bit_of(s, object, add);
    *held &= ~bit;
    if (s->ex->world.sync_state(s->ex->world.self, object) == thread + 1ull)
        *held |= bit;
}

uint64_t hd_persistent_set_needs(struct hd_persistent_set *s, uint32_t thread)
{
    const struct hd_action *a = &s->ex->world.config->next[thread];
    bool waits = takes_mutex(a->op) && hd_op_blocks((enum hd_op)a->op);
    return hd_persistent_set_held(s, thread) | (waits ? bit_of(s, a->object, true) : 0);
}

static uint64_t held_behind(const struct hd_persistent_set *s, uint32_t step)
{
    return step ? s->at[step - 1].held : 0;
}

uint64_t hd_persistent_set_held(const struct hd_persistent_set *s, uint32_t thread)
{
    return held_behind(s, s->newest[thread]);
}

void hd_persistent_set_take_locks(struct hd_persistent_set *s, uint32_t depth)
{
    struct hd_persistent_set_step *last = &s->at[depth];
    const struct hd_action *a = &last->action;
    last->held = held_behind(s, last->before);
    if (hd_op_table[a->op].space != HD_SPACE_SYNC)
        return;
    update_lock(s, last->thread, a->object, takes_mutex(a->op), &last->held);
    if (hd_op_gives_mutex((enum hd_op)a->op))
        update_lock(s, last->thread, a->object2, false, &last->held);
}

/* ---- what has been seen ---- */

static bool touches(const struct hd_persistent_set_step *step, const struct hd_touch *range)
{
    struct hd_touch own[2];
    if (range->begin == ALL || range->begin == LIFE(step->thread))
        return true;
    for (int i = 0, n = step->by_futures ? 0 : hd_touches(&step->action, own); i < n; i++)
        if (own[i].begin < range->end && range->begin < own[i].end &&
            (own[i].writes || range->writes))
            return true;
    return false;
}

void hd_persistent_set_open(struct hd_persistent_set *s, uint32_t depth)
{
    struct hd_explorer *ex = s->ex;
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    struct hd_tset threads = { { 0 } };
    for (uint32_t i = 0; i < ex->path.nodes[depth].n_alts; i++)
        hd_tset_add(&threads, HD_STEP_THREAD(alts[i]));
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        if (hd_tset_has(&threads, t))
            hd_explorer_add(ex, depth, t);
    s->at[depth].alone = false;
}

/* Most facts are learnt in the first execution.  Then it is cheaper to begin again than to add
 * choices to earlier nodes: those are not stored, so what they lead to would be found again
 * from each. */
static bool is_young(const struct hd_explorer *ex)
{
    return ex->cnt->passes < 2 && ex->executions_begun - ex->cnt->begun_before <= 1;
}

/* A step should not have been taken alone: at a node of the path, or at one that has been
 * left. */
static void broken(void *self, uint32_t depth)
{
    struct hd_persistent_set *s = self;
    bool young = is_young(s->ex);
    if (depth == HD_FUTURES_LEFT)
        s->again = true;
    else if (!young)
        hd_persistent_set_open(s, depth);
    s->ex->start_again = s->ex->start_again || young;
}

bool hd_persistent_set_keep_futures(struct hd_persistent_set *s)
{
    struct hd_futures *f = hd_arena_take(&s->ex->arena, sizeof *f);
    if (!f || !hd_futures_init(f, s->ex))
        return false;
    f->broken = broken;
    f->self = s;
    s->futures = f;
    return true;
}

/* Something has been seen for the first time: find the steps that were taken alone because it
 * was not known. */
static void grown(void *self, const struct hd_touch *range, const struct hd_accessor *who)
{
    struct hd_persistent_set *s = self;
    bool young = is_young(s->ex);
    for (uint32_t d = 0; d < s->n_ran && !s->ex->start_again; d++) {
        const struct hd_persistent_set_step *step = &s->at[d];
        if (!step->alone || step->thread == who->thread || !touches(step, range) ||
            who->locks & held_behind(s, step->before))
            continue;
        broken(s, d);
    }
    if (s->again || s->ex->start_again)
        return;
    s->again = hd_access_summary_by(&s->passed, range, who->thread, who->locks, NULL, NULL);
    s->ex->start_again = s->again && young;
}

static void see(struct hd_persistent_set *s, const struct hd_touch *range,
                struct hd_accessor *who)
{
    struct hd_touch all = point(ALL, true);
    who->writes = range->writes;
    bool small = range->end - range->begin <= MOST_BYTES;
    who->writes = who->writes || !small;
    hd_access_summary_add(&s->seen, small ? range : &all, who, grown, s);
}

/* Note the next action of a thread. */
static void note(struct hd_persistent_set *s, uint32_t thread)
{
    const struct hd_config *config = s->ex->world.config;
    const struct hd_action *a = &config->next[thread];
    const struct hd_foresight *f = &s->ex->shared->foresight;
    uint64_t held = hd_persistent_set_needs(s, thread);
    if (s->futures)
        hd_futures_stands(s->futures, thread, a, held);
    if ((hd_action_same(a, &s->noted[thread]) && s->noted_held[thread] == held &&
         a->op != HD_OP_END) ||
        hd_scale_hidden(s->ex, a))
        return;
    s->noted[thread] = *a;
    s->noted_held[thread] = held;
    struct hd_accessor who = { .thread = thread, .locks = held };
    who.bit = a->site < f->n_sites ? f->bit[a->site] : 0;
    struct hd_touch ranges[2], one;
    if (a->op == HD_OP_END) {
        for (uint32_t t = 0; t < config->n_threads; t++) {
            one = point(LIFE(t), true);
            if (t != thread && hd_tset_has(&config->live, t))
                see(s, &one, &who);
        }
        return;
    }
    if (hd_op_table[a->op].access == HD_ACCESS_ALL) {
        one = point(ALL, true);
        see(s, &one, &who);
    }
    for (int i = 0, n = s->objects ? hd_touches(a, ranges) : 0; i < n; i++)
        see(s, &ranges[i], &who);
}

/* The search leaves a node at which a thread went on alone. */
static void pass(struct hd_persistent_set *s, const struct hd_persistent_set_step *step)
{
    struct hd_touch ranges[4] = { point(LIFE(step->thread), false), point(ALL, false) };
    struct hd_accessor who = { .thread = step->thread, .locks = held_behind(s, step->before) };
    int n = 2 + (step->by_futures ? 0 : hd_touches(&step->action, ranges + 2));
    for (int i = 0; i < n; i++) {
        who.writes = ranges[i].writes;
        if (ranges[i].end - ranges[i].begin > MOST_BYTES)
            s->again = true; /* there is no room for more */
        else
            hd_access_summary_add(&s->passed, &ranges[i], &who, NULL, NULL);
    }
}

/* ---- at a node ---- */

struct asked {
    const struct hd_explorer *ex;
    const struct hd_tset *stuck;
};

static bool may_come(const void *self, const struct hd_accessor *who)
{
    const struct asked *asked = self;
    return hd_lookahead_comes(asked->ex, asked->stuck, who->thread, who->bit);
}

bool hd_persistent_set_meets(struct hd_persistent_set *s, const struct hd_touch *range,
                             uint32_t thread, const struct hd_tset *stuck)
{
    struct asked asked = { s->ex, stuck };
    return hd_access_summary_by(&s->seen, range, thread, hd_persistent_set_held(s, thread),
                                may_come, &asked);
}

/* Has the action broken the program?  Then the others are explored at its node, which makes it
 * a choice: it is stored, and what it leads to is explored once. */
static bool may_break(const struct hd_persistent_set *s, uint32_t thread,
                      const struct hd_action *a)
{
    bool found = s->n_breaks == HD_MAX_BREAKS;
    for (uint32_t i = 0; i < s->n_breaks && !found; i++)
        found = s->breaker[i] == thread && s->breaks[i].site == a->site &&
                s->breaks[i].object == a->object;
    return found;
}

static void remember_break(struct hd_persistent_set *s, const struct hd_persistent_set_step *step)
{
    if (may_break(s, step->thread, &step->action))
        return;
    s->breaks[s->n_breaks] = step->action;
    s->breaker[s->n_breaks++] = step->thread;
}

/* Is the thread alone a persistent set in the current state? */
static bool is_persistent(struct hd_persistent_set *s, uint32_t thread)
{
    const struct hd_explorer *ex = s->ex;
    const struct hd_action *a = &ex->world.config->next[thread];
    struct hd_touch life = point(LIFE(thread), false), all = point(ALL, false);
    if (hd_op_table[a->op].access == HD_ACCESS_ALL || may_break(s, thread, a))
        return false;
    struct hd_tset stuck = hd_lookahead_stuck(ex, thread);
    s->relies = 0;
    return !hd_persistent_set_meets(s, &life, thread, &stuck) &&
           !hd_persistent_set_meets(s, &all, thread, &stuck) &&
           !s->interferes(s, ex, thread, &stuck);
}

/* A thread that alone is a persistent set, if possible that of the last step; otherwise
 * HD_NO_SINGLE. */
static uint32_t singleton(struct hd_persistent_set *s, const uint32_t *alts, uint32_t n)
{
    const struct hd_config *config = s->ex->world.config;
    uint32_t last = config->last;
    if (hd_tset_has(&config->enabled, last) && is_persistent(s, last))
        return last;
    for (uint32_t i = 0; i < n && !s->current_only; i++) {
        uint32_t thread = HD_STEP_THREAD(alts[i]);
        if (thread != last && (i == 0 || HD_STEP_THREAD(alts[i - 1]) != thread) &&
            is_persistent(s, thread))
            return thread;
    }
    return HD_NO_SINGLE;
}

static void leave(struct hd_persistent_set *s, uint32_t depth)
{
    struct hd_persistent_set_step *here = &s->at[depth];
    bool open = here->low < depth;
    if (here->alone && open)
        pass(s, here);
    if (s->futures)
        hd_futures_leave(s->futures, depth, here->alone && open);
    if (depth && here->low < here[-1].low)
        here[-1].low = here->low;
}

static void come_to(struct hd_persistent_set *s, uint32_t depth)
{
    if (s->n_nodes && s->ex->leads_back < s->at[s->n_nodes - 1].low)
        s->at[s->n_nodes - 1].low =
            s->ex->leads_back; /* the answer of `states` for the last node */
    s->ex->leads_back = HD_LEADS_ON;
    while (s->n_nodes > depth)
        leave(s, --s->n_nodes);
    s->n_nodes = depth + 1;
    s->at[depth].low = HD_LEADS_ON;
    s->at[depth].alone = s->at[depth].by_futures = false;
    s->at[depth].run = 0;
    if (depth)
        hd_persistent_set_take_locks(s, depth - 1);
    if (s->futures)
        hd_futures_come_to(s->futures);
    for (uint32_t t = 0; t < s->ex->world.config->n_threads; t++)
        if (hd_tset_has(&s->ex->world.config->live, t))
            note(s, t);
    if (s->seen.lists.full || s->passed.lists.full)
        hd_explorer_give_up(s->ex, "what threads touch does not fit into memory: use --strategy "
                                   "stateful or optimal");
}

/* The invariants of futures, at the new node.  Where something that was relied on is known
 * to be wrong, everything will be explored again. */
static void check_futures(struct hd_persistent_set *s, uint32_t depth)
{
    struct hd_explorer *ex = s->ex;
    const char *wrong = NULL;
    for (uint32_t t = 0; t < ex->world.config->n_threads && !wrong; t++)
        if (hd_tset_has(&ex->world.config->live, t))
            wrong = hd_futures_check(s->futures, t, &ex->world.config->next[t],
                                     hd_persistent_set_needs(s, t));
    for (uint32_t d = 0; d < depth && !wrong && !s->again && !ex->start_again; d++)
        if (s->at[d].alone)
            wrong = hd_futures_check_relied(s->futures, d);
    if (wrong)
        hd_explorer_bug(ex, wrong);
}

uint32_t hd_persistent_set_admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct hd_persistent_set *s = self;
    uint32_t depth = ex->path.depth;
    struct hd_persistent_set_step *here = &s->at[depth];
    come_to(s, depth);
    if (s->futures && ex->opt->paranoid)
        check_futures(s, depth);
    ex->partial = false;
    uint32_t run = depth ? here[-1].run : 0;
    bool hidden = hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])]);
    if (hidden)
        here->run = run;
    if (hidden || HD_STEP_THREAD(alts[0]) == HD_STEP_THREAD(alts[n - 1]) ||
        ex->world.config->invariants || run >= LONGEST)
        return n;
    uint32_t thread = singleton(s, alts, n);
    if (thread == HD_NO_SINGLE)
        return n;
    here->alone = ex->partial = true;
    here->run = run + 1;
    here->by_futures = s->relies;
    if (s->relies) {
        struct hd_tset stuck = hd_lookahead_stuck(ex, thread);
        hd_futures_rely(s->futures, &stuck, s->relies);
    }
    return hd_path_of_thread(alts, n, thread);
}

void hd_persistent_set_ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_persistent_set *s = self;
    struct hd_persistent_set_step *step = &s->at[depth];
    step->action = ex->path.nodes[depth].action;
    step->thread = HD_STEP_THREAD(ex->path.steps[depth]);
    step->before = s->newest[step->thread];
    s->newest[step->thread] = depth + 1;
    s->n_ran = depth + 1;
}

void hd_persistent_set_back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_persistent_set *s = self;
    (void)ex;
    while (s->n_ran > depth) {
        const struct hd_persistent_set_step *step = &s->at[--s->n_ran];
        s->newest[step->thread] = step->before;
    }
}

/* No state follows a step that breaks the program, so the other threads are explored at its
 * node.  In a deadlock the next actions of the threads have not been noted yet. */
void hd_persistent_set_ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_persistent_set *s = self;
    uint32_t depth = ex->path.depth;
    if (finding && finding->kind == HD_KIND_DEADLOCK)
        come_to(s, depth);
    else if (finding && depth && s->at[depth - 1].alone) {
        remember_break(s, &s->at[depth - 1]);
        hd_persistent_set_open(s, depth - 1);
    }
}

bool hd_persistent_set_again(void *self, struct hd_explorer *ex)
{
    struct hd_persistent_set *s = self;
    (void)ex;
    bool again = s->again || ex->start_again;
    s->again = false;
    s->n_nodes = 0;
    if (again)
        hd_access_summary_forget(&s->passed);
    if (again && s->futures)
        hd_futures_again(s->futures);
    return again;
}

/* ---- work units ---- */

/* Nodes that are no longer on the path may still have entries here. */
static void pack_steps(struct hd_persistent_set *s, struct hd_pack *p)
{
    hd_pack_count(p, &s->n_nodes, HD_MAX_STEPS);
    uint32_t n = s->n_nodes;
    if (!p->reading && s->ex->path.n_nodes > n)
        n = s->ex->path.n_nodes;
    hd_pack_count(p, &n, HD_MAX_STEPS);
    hd_pack_want(p, n >= s->n_nodes);
    for (uint32_t d = 0; d < n && !p->bad; d++) {
        struct hd_persistent_set_step *step = &s->at[d];
        hd_pack_action(p, &step->action);
        hd_pack_u64(p, &step->held);
        hd_pack_thread(p, &step->thread);
        hd_pack_u32(p, &step->before, d);
        hd_pack_u32(p, &step->run, UINT32_MAX);
        hd_pack_u32(p, &step->low, UINT32_MAX);
        hd_pack_bool(p, &step->alone);
        hd_pack_bool(p, &step->by_futures);
    }
}

static void pack_noted(struct hd_persistent_set *s, struct hd_pack *p)
{
    for (uint32_t t = 0; t < HD_MAX_THREADS && !p->bad; t++) {
        bool there = s->noted[t].op != HD_OP_NONE;
        hd_pack_bool(p, &there);
        if (!there)
            continue;
        hd_pack_action(p, &s->noted[t]);
        hd_pack_u64(p, &s->noted_held[t]);
    }
}

void hd_persistent_set_pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_persistent_set *s = self;
    (void)ex;
    pack_steps(s, p);
    hd_pack_u32(p, &s->n_locks, HD_MAX_LOCKS);
    for (uint32_t i = 0; i < s->n_locks; i++)
        hd_pack_u64(p, &s->locks[i]);
    hd_pack_u32(p, &s->n_breaks, HD_MAX_BREAKS);
    for (uint32_t i = 0; i < s->n_breaks; i++) {
        hd_pack_action(p, &s->breaks[i]);
        hd_pack_thread(p, &s->breaker[i]);
    }
    hd_pack_bool(p, &s->again);
    pack_noted(s, p);
    hd_access_summary_pack(&s->seen, p);
    hd_access_summary_pack(&s->passed, p);
    if (s->futures && !p->bad)
        hd_futures_pack(s->futures, p);
}
