/* super-step: let a thread go on as long as no other thread can observe it (SCALE Algorithm 6,
 * SuperStepPOR; Def. 25; after Zaks and Joshi).
 *
 * From a super node every enabled thread makes one super step: a sequence of its actions, of
 * which all but the last (the intermediate ones) are independent of all actions of the other
 * super steps from there, and enable no thread.  A new node either extends the super step that
 * led to it, and then only its thread may go on, or it is a super node.
 *
 * The sets of a super step grow while it is explored and remain when the search turns to the
 * next one, whose extensions are checked against them.  They are dropped with their super
 * node.
 *
 * With not-seen: the thesis drops visited successors first and counts every node as visited.
 * Then super steps that are not begun here are not considered, and a node in the middle of one
 * counts as explored: 11 of 200 random programs lost executions, and at least one a final
 * state.  So here the filter comes before not-seen, which stores super nodes only: a dropped
 * successor is a super step of one action to a super node that has been explored.
 * `super-step:thesis` is the other order, to compare numbers; it never claims all schedules.
 * It also has the thesis' Enables, which forgets that a wait on a condition variable releases
 * the mutex: a super step goes on past a wait that has let others in.  That is not in the
 * text; the published numbers of table 6.2 need it (bench/scale.md), and executions are lost
 * by it alone.
 *
 * Deviations:
 *  - an action with several outcomes to choose from (a signal's waiter) is one super step with
 *    several continuations; the last action of an explored continuation becomes an intermediate
 *    one, which can only end super steps earlier;
 *  - dependence is scale.h's. */
#include "explore/loop/filter.h"

#include "core/enabled.h"
#include "core/pack_parts.h"
#include "explore/states/scale.h"

#include <string.h>

#define NONE (~0u)
#define POOL (4u << 20) /* intermediate actions of the super steps on the path */
#define LONGEST 256u    /* actions of a super step before a loop of states is suspected */
#define STEPS (64ull * HD_MAX_STEPS) /* as many as the path has alternatives */

struct super_step {
    uint32_t thread;
    uint32_t newest; /* intermediate actions: a list in the pool, NONE */
    bool begun;
    struct hd_action last;
};

struct super_node {
    uint32_t depth;
    uint32_t first, n; /* of steps[] */
};

struct intermediate {
    struct hd_action action;
    uint32_t older;
};

struct tag {       /* the super step that a step of the path belongs to */
    uint32_t step; /* of steps[] */
    uint32_t node; /* of nodes[] */
    uint32_t ran;  /* the alternative that was last begun here, NONE */
    uint32_t pool_end;
    bool super; /* a super node stands here */
};

struct super_steps {
    struct super_node *nodes; /* those on the path */
    struct super_step *steps;
    struct intermediate *pool;
    struct tag *tags; /* by depth */
    uint32_t n_nodes, n_steps, n_pool;
    bool full; /* an intermediate action is missing: from now on no super step is extended */
};

static void *create(struct hd_explorer *ex)
{
    struct super_steps *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->nodes = hd_arena_take(&ex->arena, sizeof *s->nodes * (uint64_t)HD_MAX_STEPS);
    s->steps = hd_arena_take(&ex->arena, sizeof *s->steps * STEPS);
    s->pool = hd_arena_take(&ex->arena, sizeof *s->pool * (uint64_t)POOL);
    s->tags = hd_arena_take(&ex->arena, sizeof *s->tags * (uint64_t)(HD_MAX_STEPS + 1));
    return s->nodes && s->steps && s->pool && s->tags ? s : NULL;
}

/* Super nodes from `depth` on are gone, and with them the newest parts of all three stacks.
 * This is not done in `back`, because a world that goes back to its root comes to the same
 * nodes again. */
static void forget(struct super_steps *s, uint32_t depth)
{
    while (s->n_nodes && s->nodes[s->n_nodes - 1].depth >= depth) {
        const struct super_node *gone = &s->nodes[--s->n_nodes];
        s->n_steps = gone->first;
        s->n_pool = s->tags[gone->depth].pool_end;
    }
}

/* Is the tag's super node there, at its depth or above, and the super step one of that node?
 * It always is, but for work units from outside. */
static bool belongs(const struct super_steps *s, const struct tag *tag, uint32_t depth)
{
    const struct super_node *node = &s->nodes[tag->node];
    return tag->node < s->n_nodes && (tag->super ? node->depth == depth : node->depth < depth) &&
           (tag->step == NONE || tag->step - node->first < node->n);
}

/* Line 9: the last action becomes an intermediate one. */
static void demote_last(struct super_steps *s, struct super_step *ss)
{
    if (s->n_pool == POOL) {
        s->full = true;
        return;
    }
    s->pool[s->n_pool] = (struct intermediate){ ss->last, ss->newest };
    ss->newest = s->n_pool++;
}

static bool indep_last(const struct super_steps *s, const struct hd_explorer *ex,
                       const struct super_node *node, const struct super_step *ss)
{
    for (uint32_t i = node->first; i < node->first + node->n; i++)
        if (&s->steps[i] != ss && hd_scale_dependent(ex, &ss->last, &s->steps[i].last))
            return false;
    return true;
}

static bool indep_inter(const struct super_steps *s, const struct hd_explorer *ex,
                        const struct super_node *node, const struct super_step *ss,
                        const struct hd_action *next)
{
    for (uint32_t i = node->first; i < node->first + node->n; i++) {
        if (&s->steps[i] == ss)
            continue;
        for (uint32_t a = s->steps[i].newest; a != NONE; a = s->pool[a].older)
            if (hd_scale_dependent(ex, next, &s->pool[a].action))
                return false;
    }
    return true;
}

static bool could_move(const struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < ex->path.nodes[depth].n_alts; i++)
        if (HD_STEP_THREAD(alts[i]) == thread)
            return true;
    return false;
}

/* Has the step at `last` enabled one of the successors of other threads?  (All threads that
 * were enabled before it count, not only those that other filters left.) */
static bool enables(const struct hd_explorer *ex, uint32_t last, const uint32_t *alts, uint32_t n)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[last]);
    if (ex->opt->filters & HD_FILTER_SUPER_STEP_THESIS &&
        hd_op_gives_mutex((enum hd_op)ex->path.nodes[last].action.op))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (HD_STEP_THREAD(alts[i]) != thread && !could_move(ex, last, HD_STEP_THREAD(alts[i])))
            return true;
    return false;
}

/* Lines 2 to 14.  Returns how many alternatives are left if the super step goes on, 0 if it
 * ends. */
static uint32_t extend(struct super_steps *s, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t depth = ex->path.depth, last = hd_scale_last(ex, depth), i = 0;
    if (last == HD_NO_STEP)
        return 0;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[last]);
    while (i < n && HD_STEP_THREAD(alts[i]) != thread)
        i++;
    if (i == n || s->full)
        return 0;
    const struct tag *tag = &s->tags[last];
    if (!belongs(s, tag, last) || tag->step == NONE)
        return 0;
    const struct super_node *node = &s->nodes[tag->node];
    if (ex->opt->filters & HD_FILTER_STATES && depth - node->depth >= LONGEST)
        return 0;
    struct super_step *ss = &s->steps[tag->step];
    struct hd_action next = hd_explorer_outcome(ex, thread);
    if (!indep_last(s, ex, node, ss) || !indep_inter(s, ex, node, ss, &next) ||
        enables(ex, last, alts, n))
        return 0;
    demote_last(s, ss);
    ss->last = next;
    s->tags[depth] = (struct tag){ tag->step, tag->node, NONE, s->n_pool, false };
    return hd_path_of_thread(alts, n, thread);
}

/* Lines 16 to 25. */
static void new_super_node(struct super_steps *s, struct hd_explorer *ex, const uint32_t *alts,
                           uint32_t n)
{
    uint32_t depth = ex->path.depth;
    struct super_node *node = &s->nodes[s->n_nodes];
    *node = (struct super_node){ depth, s->n_steps, 0 };
    s->tags[depth] = (struct tag){ NONE, s->n_nodes++, NONE, s->n_pool, true };
    for (uint32_t i = 0; i < n; i++) {
        uint32_t thread = HD_STEP_THREAD(alts[i]);
        if (i && HD_STEP_THREAD(alts[i - 1]) == thread)
            continue;
        s->steps[s->n_steps++] = (struct super_step){ .thread = thread,
                                                      .newest = NONE,
                                                      .last = hd_explorer_outcome(ex, thread) };
        node->n++;
    }
}

/* A node that extends a super step has only its thread's successors left. */
static uint32_t admit_behind(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct super_steps *s = self;
    if (hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])])) {
        s->tags[ex->path.depth] = (struct tag){ NONE, NONE, NONE, s->n_pool, false };
        return n;
    }
    forget(s, ex->path.depth);
    uint32_t kept = extend(s, ex, alts, n);
    if (kept)
        return kept;
    new_super_node(s, ex, alts, n);
    return n;
}

/* A step runs, for the first time or again.  When another alternative is taken here, the last
 * action of the previous one stays in the pool. */
static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct super_steps *s = self;
    const struct hd_action *action = &ex->path.nodes[depth].action;
    struct tag *tag = &s->tags[depth];
    uint32_t alternative = ex->path.steps[depth];
    bool there = belongs(s, tag, depth);
    if (hd_scale_hidden(ex, action) || (there && tag->ran == alternative))
        return;
    if (!there) {
        /* a hidden step broke the program, so other steps are explored at its node, which
         * becomes a super node */
        forget(s, depth);
        new_super_node(s, ex, hd_path_alts(&ex->path, depth), ex->path.nodes[depth].n_alts);
    }
    forget(s, depth + 1);
    if (tag->super) {
        const struct super_node *node = &s->nodes[tag->node];
        tag->step = node->first;
        while (tag->step + 1 < node->first + node->n &&
               s->steps[tag->step].thread != HD_STEP_THREAD(alternative))
            tag->step++;
    }
    struct super_step *ss = &s->steps[tag->step];
    if (ss->begun && (tag->super || tag->ran != NONE)) {
        demote_last(s, ss);
        ss->last = *action;
    }
    ss->begun = true;
    tag->ran = alternative;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct super_steps *s = self;
    uint32_t kept = admit_behind(s, ex, alts, n);
    ex->partial = !s->tags[ex->path.depth].super;
    return kept;
}

/* An index that may be missing. */
static void pack_index(struct hd_pack *p, uint32_t *index, uint32_t n)
{
    uint32_t above = *index + 1; /* NONE is 0 */
    hd_pack_u32(p, &above, n);
    *index = above - 1;
}

static void pack_steps(struct super_steps *s, struct hd_pack *p)
{
    for (uint32_t i = 0; i < s->n_pool && !p->bad; i++) {
        hd_pack_action(p, &s->pool[i].action);
        pack_index(p, &s->pool[i].older, i); /* no list has a circle */
    }
    for (uint32_t i = 0; i < s->n_steps && !p->bad; i++) {
        hd_pack_thread(p, &s->steps[i].thread);
        pack_index(p, &s->steps[i].newest, s->n_pool);
        hd_pack_bool(p, &s->steps[i].begun);
        hd_pack_action(p, &s->steps[i].last);
    }
}

static void pack_nodes(struct super_steps *s, const struct hd_explorer *ex, struct hd_pack *p)
{
    for (uint32_t i = 0; i < s->n_nodes && !p->bad; i++) {
        struct super_node *node = &s->nodes[i];
        hd_pack_u32(p, &node->depth, ex->path.n_nodes);
        hd_pack_u32(p, &node->first, s->n_steps);
        hd_pack_u32(p, &node->n, p->reading ? s->n_steps - node->first : UINT32_MAX);
        hd_pack_want(p, i == 0 || node->depth > node[-1].depth);
    }
    for (uint32_t d = 0; d < ex->path.n_nodes && !p->bad; d++) {
        struct tag *tag = &s->tags[d];
        pack_index(p, &tag->step, s->n_steps);
        pack_index(p, &tag->node, s->n_nodes);
        hd_pack_u32(p, &tag->ran, UINT32_MAX);
        hd_pack_u32(p, &tag->pool_end, s->n_pool);
        hd_pack_bool(p, &tag->super);
        bool known = tag->node != NONE && (tag->super || tag->step != NONE);
        hd_pack_want(p, known || (tag->node == NONE && !tag->super));
        hd_pack_want(p, tag->ran == NONE || (known && tag->step != NONE));
        hd_pack_want(p, !known || belongs(s, tag, d));
    }
}

/* Is what goes with a super node newer than all that stays (forget)?  Otherwise a list of
 * intermediate actions could lead into itself. */
static bool stacked(const struct super_steps *s)
{
    uint32_t step = 0, end = 0; /* of the actions that stay */
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        uint32_t next = i + 1 < s->n_nodes ? s->nodes[i + 1].first : s->n_steps;
        if (s->nodes[i].first < step || next - s->nodes[i].first < s->nodes[i].n)
            return false;
        for (; step < s->nodes[i].first; step++)
            if (s->steps[step].newest != NONE && s->steps[step].newest >= end)
                end = s->steps[step].newest + 1;
        if (s->tags[s->nodes[i].depth].pool_end < end)
            return false;
    }
    return true;
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct super_steps *s = self;
    if (!p->reading) /* entries of nodes that are no longer on the path */
        forget(s, ex->path.n_nodes);
    hd_pack_count(p, &s->n_nodes, HD_MAX_STEPS - 1);
    hd_pack_count(p, &s->n_steps, STEPS - 1);
    hd_pack_count(p, &s->n_pool, POOL);
    hd_pack_bool(p, &s->full);
    pack_steps(s, p);
    pack_nodes(s, ex, p);
    hd_pack_want(p, p->bad || stacked(s));
}

const struct hd_filter hd_filter_super_step_thesis = {
    .index = HD_FILTER_INDEX_SUPER_STEP_THESIS,
    .create = create,
    .admit = admit_behind,
    .ran = ran,
    .pack = pack,
};

const struct hd_filter hd_filter_super_step = {
    .index = HD_FILTER_INDEX_SUPER_STEP,
    .create = create,
    .admit = admit,
    .ran = ran,
    .pack = pack,
};
