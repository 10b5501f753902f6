#include "explore/jobs/split.h"

#include "base/hash.h"
#include "explore/loop/filter.h"
#include "explore/loop/search.h"

#include <string.h>

/* Giving a part away copies wakeup trees, and shared nodes are read with the lock held.  When
 * the last parts that workers waited for, FEW_PARTS of them at least, had fewer than SMALL_PART
 * executions on average, workers that could give another wait four times as long each time, up
 * to 4^MOST_SMALL executions, and take nodes back that no other worker needs.  One large part
 * resets that. */
#define N_PARTS 16
#define FEW_PARTS 3
#define SMALL_PART 64
#define LARGE_PART 1024
#define MOST_SMALL 6
/* Filters that open alternatives above the part in which they find a race. */
#define REVERSING (HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL)
#define LOOKS 32 /* executions between two attempts to take nodes back */

bool hd_split_join(struct hd_explorer *ex, struct hd_shared_tree *tree, uint32_t worker)
{
    struct hd_split *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return false;
    s->tree = tree;
    s->worker = worker;
    s->places = hd_arena_take(&ex->arena, sizeof *s->places * (uint64_t)HD_MAX_STEPS);
    ex->split = s;
    if (hd_split_reverses(ex))
        ex->search = &hd_search_reversed;
    if (worker) {
        ex->cnt->begun = ex->executions_begun = 0;
        ex->rng.state = hd_hash_mix(ex->rng.state + worker);
    }
    /* The supervisor may have laid units there, which are all that is to be explored. */
    bool from_units = tree->head.n_units && ex->shared->takeover == HD_TAKEOVER_NONE;
    if (worker == 0 && !hd_split_make_states(ex, tree))
        return false;
    if (worker == 0) {
        tree->in_order = (ex->opt->filters & HD_FILTER_OPTIMAL) != 0;
        tree->loose = from_units ? tree->head.n_units : 1;
    }
    s->by_units = !(ex->opt->filters & REVERSING);
    s->working = (worker == 0 && !from_units) || hd_search_samples(ex->opt->search);
    return s->places != NULL;
}

static bool is_stopped(const struct hd_worker_memory *shared, const struct hd_shared_tree *tree)
{
    return __atomic_load_n(&tree->head.stop, __ATOMIC_RELAXED) ||
           __atomic_load_n(&shared->ctl.stop, __ATOMIC_RELAXED);
}

static bool stopped(const struct hd_explorer *ex)
{
    return is_stopped(ex->shared, ex->split->tree);
}

void hd_split_stop(struct hd_explorer *ex)
{
    struct hd_shared_tree *tree = ex->split->tree;
    __atomic_store_n(&tree->head.stop, 1, __ATOMIC_RELEASE);
    hd_shared_tree_wake_all(tree);
}

/* Worker 0 goes on even when all are to stop: it has the root, or a unit with the tree, which
 * are needed to know what is left to explore.  So does a worker with a unit. */
bool hd_split_await_first(const struct hd_worker_memory *shared, struct hd_shared_tree *tree,
                          uint32_t worker, bool has_unit)
{
    while (worker != 0 && (has_unit || !is_stopped(shared, tree))) {
        uint32_t seen = __atomic_load_n(&tree->head.changed, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&tree->head.begun, __ATOMIC_ACQUIRE))
            return true;
        hd_shared_tree_wait(tree, seen);
    }
    return worker == 0;
}

/* With the lock held, with --paranoid: do the invariants of the tree hold from a node on, or
 * from our part on, and is every alternative on our path one that is being explored (T2)? */
static void check_tree(const struct hd_explorer *ex, const struct hd_shared_tree_node *from)
{
    const struct hd_split *s = ex->split;
    uint32_t n = s->working ? ex->marks.base : 0;
    if (!ex->opt->paranoid)
        return;
    const char *wrong = hd_shared_tree_check(s->tree, from ? from
                                                      : n  ? s->places[n - 1].node
                                                           : NULL);
    for (uint32_t d = 0; d < n && !wrong; d++) {
        const struct hd_shared_tree_node *node = s->places[d].node;
        uint32_t taken = ex->path.nodes[d].taken;
        if (node->serial != s->places[d].serial || node->depth != d ||
            node->parent != (d ? s->places[d - 1].node : NULL) || taken >= node->n_begun ||
            node->alts[taken].over)
            wrong = "T2 of the shared tree (the worker below an alternative)";
    }
    if (wrong)
        hd_explorer_bug(ex, wrong);
}

/* ---- nodes in common ---- */

static void share_node(struct hd_explorer *ex, uint32_t depth)
{
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->share)
            ex->filters[i]->share(ex->filter_state[i], ex, depth, ex->split->places[depth].node);
}

static void adopt_node(struct hd_explorer *ex, uint32_t depth, bool anew)
{
    struct hd_split_place *place = &ex->split->places[depth];
    place->n_begun = place->node->n_begun;
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->adopt)
            ex->filters[i]->adopt(ex->filter_state[i], ex, depth, place->node, anew);
}

/* The copy of the common node on the path; of its alternatives, the one on the path is the last
 * that the search sees. */
static void copy_alternatives(struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_shared_tree_node *from = ex->split->places[depth].node;
    struct hd_node *to = &ex->path.nodes[depth];
    uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < from->n_alts; i++)
        alts[i] = from->alts[i].step;
    to->n_open = from->n_open;
    to->n_allowed = from->n_allowed;
}

void hd_split_enter(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_split *s = ex->split;
    if (s->entered++)
        return;
    hd_shared_tree_lock(s->tree, s->worker);
    copy_alternatives(ex, depth);
    adopt_node(ex, depth, false);
}

void hd_split_leave(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_split *s = ex->split;
    if (--s->entered)
        return;
    struct hd_node *from = &ex->path.nodes[depth];
    struct hd_shared_tree_node *to = s->places[depth].node;
    uint32_t more = from->n_open - to->n_open;
    if (more) {
        const uint32_t *alts = hd_path_alts(&ex->path, depth);
        for (uint32_t i = to->n_open; i < to->n_alts; i++)
            to->alts[i].step = alts[i];
        to->n_open = from->n_open;
        hd_shared_tree_opened(s->tree, to, more);
    }
    hd_shared_tree_unlock(s->tree);
    from->n_open = from->taken + 1;
}

void hd_split_begun(const struct hd_explorer *ex, uint32_t depth, struct hd_tset *set)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t now = HD_STEP_THREAD(alts[node->taken]);
    for (uint32_t i = node->taken + 1; i < ex->split->places[depth].n_begun; i++)
        if (HD_STEP_THREAD(alts[i]) != now)
            hd_tset_add(set, HD_STEP_THREAD(alts[i]));
}

struct hd_wakeup *hd_split_wakeup(const struct hd_explorer *ex)
{
    return ex->split->tree->wakeup;
}

uint32_t *hd_split_branches(const struct hd_explorer *ex, uint32_t depth)
{
    return &ex->split->places[depth].node->branches;
}

/* ---- giving ---- */

/* Make node `depth` of the path a shared one; it is the first that is not. */
static bool give_node(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_split *s = ex->split;
    struct hd_node *from = &ex->path.nodes[depth];
    hd_path_all(&ex->path, depth);
    struct hd_shared_tree_node *node = hd_shared_tree_node(s->tree, from->n_alts);
    if (!node)
        return false;
    if (depth == 0)
        s->tree->loose--; /* from now on our part is below the root */
    node->parent = depth ? s->places[depth - 1].node : NULL;
    node->depth = depth;
    node->at = depth ? from[-1].taken : 0;
    node->n_open = from->n_open;
    node->n_allowed = from->n_allowed;
    node->n_begun = from->taken + 1;
    node->n_running = 1;
    node->last = from->last;
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < from->n_alts; i++)
        node->alts[i] = (struct hd_shared_tree_alt){ .step = alts[i], .over = i < from->taken };
    node->alts[from->taken].action = from->action;
    s->places[depth] =
        (struct hd_split_place){ .node = node, .serial = node->serial, .n_begun = node->n_begun };
    share_node(ex, depth);
    from->n_open = from->taken + 1;
    ex->marks.base = depth + 1;
    hd_shared_tree_opened(s->tree, node, node->n_open - node->n_begun);
    return true;
}

/* Has node `depth` of our part something that another worker may explore now? */
static bool can_give(const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    bool can = node->taken + 1 < node->n_open;
    for (uint32_t i = 0; i < ex->n_filters && can; i++)
        if (ex->filters[i]->beside)
            can = ex->filters[i]->beside(ex->filter_state[i], ex, depth);
    return can;
}

static bool can_be_common(const struct hd_explorer *ex, uint32_t depth)
{
    bool can = true;
    for (uint32_t i = 0; i < ex->n_filters && can; i++)
        if (ex->filters[i]->common)
            can = ex->filters[i]->common(ex->filter_state[i], ex, depth);
    return can;
}

/* How many branches are copied when nodes become common.  Where parts are small, four
 * executions have to pay for each. */
static uint64_t weight(const struct hd_explorer *ex)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->weight)
            sum += ex->filters[i]->weight(ex->filter_state[i]);
    return sum;
}

/* Does a worker wait for work that it cannot get?  With --paranoid the answer is always yes:
 * the more is given away, the more can go wrong. */
static bool wanted(const struct hd_explorer *ex)
{
    const struct hd_shared_tree_head *head = &ex->split->tree->head;
    if (ex->opt->paranoid)
        return true;
    if (!__atomic_load_n(&head->hungry, __ATOMIC_RELAXED) ||
        __atomic_load_n(&head->offered, __ATOMIC_RELAXED))
        return false;
    if (ex->split->by_units)
        return hd_split_unit_pays(ex);
    uint32_t small = __atomic_load_n(&head->small, __ATOMIC_RELAXED);
    const struct hd_split *s = ex->split;
    uint64_t since = s->gave_at > s->taken_at ? s->gave_at : s->taken_at;
    uint64_t passed = ex->executions_begun - since;
    return passed >= (1u << 2 * small) - 1 && (!small || passed >= 4 * weight(ex));
}

/* With the lock held: take back the nodes above our part that no other worker needs, except the
 * root.  Shared nodes are accessed with the lock held, which is not worth its cost where others
 * get little from it. */
static void reclaim(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    while (ex->marks.base > 1) {
        uint32_t depth = ex->marks.base - 1;
        struct hd_shared_tree_node *node = s->places[depth].node;
        if (node->n_running > 1 || node->starting ||
            node->n_begun != ex->path.nodes[depth].taken + 1)
            return;
        copy_alternatives(ex, depth);
        hd_path_opened(&ex->path, depth);
        adopt_node(ex, depth, false);
        for (uint32_t i = 0; i < ex->n_filters; i++)
            if (ex->filters[i]->reclaim)
                ex->filters[i]->reclaim(ex->filter_state[i], ex, depth, node);
        hd_shared_tree_reclaim(s->tree, node);
        ex->marks.base = depth;
    }
}

/* Is it time to take nodes back?  With --paranoid, now and then. */
static bool reclaims(const struct hd_explorer *ex)
{
    if (ex->opt->paranoid)
        return ex->executions_begun % 3 == 0;
    return __atomic_load_n(&ex->split->tree->head.small, __ATOMIC_RELAXED) != 0;
}

/* After an execution: the same, now and then.  A part may be large, and while the nodes above
 * it are common every race that is reversed there takes the lock. */
static void look_back(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    if (ex->marks.base < 2 || !reclaims(ex) || s->starting ||
        (ex->executions_begun - s->looked_at < LOOKS && !ex->opt->paranoid))
        return;
    s->looked_at = ex->executions_begun;
    hd_shared_tree_lock(s->tree, s->worker);
    reclaim(ex);
    check_tree(ex, NULL);
    hd_shared_tree_unlock(s->tree);
}

/* The first node of our part, from `depth` on, that has something to give; n_nodes: none. */
static uint32_t next_to_give(const struct hd_explorer *ex, uint32_t depth)
{
    while (depth < ex->path.n_nodes && can_be_common(ex, depth) && !can_give(ex, depth))
        depth++;
    return depth < ex->path.n_nodes && can_be_common(ex, depth) ? depth : ex->path.n_nodes;
}

void hd_split_scatter(struct hd_explorer *ex)
{
    bool taken = true;
    if (ex->search->give) {
        while (taken && ex->search->give(ex)) {
            taken = hd_split_give_unit(ex, 0);
            ex->search->gave(ex, taken);
        }
        return;
    }
    uint32_t depth = ex->marks.base;
    while (taken && (depth = next_to_give(ex, depth)) < ex->path.n_nodes)
        taken = hd_split_give_unit(ex, depth++);
}

/* Worker 0 has executed the program once: the others may start, and know how many threads they
 * prepare.  Before that there is nothing that they could be given.  With --paranoid it waits
 * for them, or it would finish a small program before they start. */
static void let_others_start(struct hd_explorer *ex)
{
    struct hd_shared_tree *tree = ex->split->tree;
    struct hd_shared_tree_head *head = &tree->head;
    head->n_parked = ex->opt->n_parked;
    __atomic_store_n(&head->begun, 1, __ATOMIC_RELEASE);
    hd_shared_tree_wake_all(tree);
    while (ex->opt->paranoid && !hd_search_samples(ex->opt->search) && !stopped(ex) &&
           __atomic_load_n(&head->hungry, __ATOMIC_RELAXED) + 1 < ex->opt->jobs)
        hd_shared_tree_wait(tree, __atomic_load_n(&head->changed, __ATOMIC_RELAXED));
}

void hd_split_feed(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    head->workers[s->worker].begun = ex->executions_begun;
    if (__builtin_expect(s->worker == 0 && !head->begun, 0))
        let_others_start(ex);
    if (hd_search_samples(ex->opt->search))
        return;
    look_back(ex);
    if (!wanted(ex))
        return;
    if (ex->search->give) {
        if (ex->search->give(ex))
            ex->search->gave(ex, hd_split_give_unit(ex, 0));
        return;
    }
    uint32_t depth = next_to_give(ex, ex->marks.base);
    if (depth == ex->path.n_nodes)
        return; /* there is nothing to give yet */
    s->gave_at = ex->executions_begun;
    if (s->by_units) {
        hd_split_give_unit(ex, depth);
        return;
    }
    hd_shared_tree_lock(s->tree, s->worker);
    while (ex->marks.base <= depth && give_node(ex, ex->marks.base))
        ;
    check_tree(ex, NULL);
    hd_shared_tree_unlock(s->tree);
}

/* ---- taking ---- */

/* Put the path to alternative `taken` of the node on the explorer's path.  Returns the length
 * of the prefix that both have in common. */
static uint32_t load_path(struct hd_explorer *ex, struct hd_shared_tree_node *node,
                          uint32_t taken)
{
    struct hd_path *p = &ex->path;
    struct hd_split_place *places = ex->split->places;
    uint32_t same = node->depth, at = taken;
    for (struct hd_shared_tree_node *n = node; n; at = n->at, n = n->parent) {
        struct hd_split_place *place = &places[n->depth];
        if (n->depth < ex->marks.base && place->serial == n->serial &&
            p->nodes[n->depth].taken == at)
            continue; /* our copy of its alternatives is still right */
        same = n->depth;
        *place = (struct hd_split_place){ n, n->serial, n->n_begun };
    }
    if (same > p->depth)
        same = p->depth;
    for (uint32_t d = same; d <= node->depth; d++) {
        struct hd_node *to = &p->nodes[d];
        const struct hd_shared_tree_node *from = places[d].node;
        to->alts = d ? to[-1].alts + to[-1].n_alts : 0;
        to->n_alts = from->n_alts;
        to->last = from->last;
        to->enabled = 0;
        to->unsure = to->many = to->went_on = false;
        copy_alternatives(ex, d);
        to->taken = d < node->depth ? places[d + 1].node->at : taken;
        to->n_open = to->taken + 1;
        if (d < node->depth)
            to->action = from->alts[to->taken].action;
        adopt_node(ex, d, true);
    }
    p->n_nodes = p->open = ex->marks.target = ex->marks.base = node->depth + 1;
    return same;
}

/* With the lock held: wait for work and take it: an alternative of a node, or a unit, whose
 * length is returned in *unit. */
static int64_t take_any(struct hd_explorer *ex, struct hd_shared_tree_node *from, uint64_t *unit)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    struct hd_shared_tree_node *node = NULL;
    while (!head->finished && !stopped(ex) && !ex->error[0] && !hd_split_is_cyclic(ex) &&
           !(*unit = hd_split_fetch(ex)) && !(node = hd_shared_tree_pick(s->tree, from))) {
        uint32_t seen = head->changed;
        s->waited = true;
        from = NULL; /* it may be gone when we look again */
        __atomic_store_n(&head->offered, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&head->hungry, head->hungry + 1, __ATOMIC_RELAXED);
        hd_shared_tree_unlock(s->tree);
        ex->shared->ctl.state = HD_STATE_WAITING;
        hd_shared_tree_wait(s->tree, seen);
        ex->shared->ctl.state = HD_STATE_PROGRAM;
        hd_shared_tree_lock(s->tree, s->worker);
        __atomic_store_n(&head->hungry, head->hungry - 1, __ATOMIC_RELAXED);
    }
    if (*unit)
        return 0;
    if (!node || head->finished || stopped(ex))
        return -1;
    const char *wrong = ex->opt->paranoid ? hd_shared_tree_check_turn(s->tree, node) : NULL;
    if (wrong)
        hd_explorer_bug(ex, wrong);
    uint32_t taken = hd_shared_tree_take(s->tree, node);
    s->working = s->starting = true;
    s->taken_at = ex->executions_begun;
    return load_path(ex, node, taken);
}

/* With the lock held: the same until there is a part to explore.  Returns the depth to go back
 * to, -1 when there is no work left. */
static int64_t take_part(struct hd_explorer *ex, struct hd_shared_tree_node *from)
{
    struct hd_split *s = ex->split;
    int64_t same;
    uint64_t unit = 0;
    bool taken = false;
    s->waited = false;
    do {
        same = take_any(ex, from, &unit);
        from = NULL;
        taken = same >= 0;
        if (unit) {
            hd_shared_tree_unlock(s->tree);
            taken = hd_split_read_unit(ex, unit);
            hd_shared_tree_lock(s->tree, s->worker);
        }
    } while (same >= 0 && !taken && !ex->error[0]);
    return taken ? same : -1;
}

bool hd_split_begin(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    if (s->working)
        return true;
    hd_shared_tree_lock(s->tree, s->worker);
    int64_t same = take_part(ex, NULL);
    hd_shared_tree_unlock(s->tree);
    if (same < 0)
        return false;
    ex->marks.counted = ex->marks.target ? ex->marks.target - 1 : 0;
    ex->cnt->begun = ex->executions_begun = 1;
    return true;
}

/* With the lock held: the first step of our part has been done. */
static void started(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    if (!s->starting)
        return;
    struct hd_shared_tree_node *node = s->places[ex->marks.base - 1].node;
    s->starting = node->starting = false;
    node->alts[ex->path.nodes[ex->marks.base - 1].taken].action =
        ex->path.nodes[ex->marks.base - 1].action;
    share_node(ex, ex->marks.base - 1);
    hd_shared_tree_offer(s->tree, node);
}

void hd_split_survived(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    if (!ex->marks.base)
        return;
    hd_shared_tree_lock(s->tree, s->worker);
    started(ex);
    if (reclaims(ex))
        reclaim(ex);
    check_tree(ex, NULL);
    hd_shared_tree_unlock(s->tree);
}

/* With the lock held: our part is over.  Note whether it was large enough to wait for. */
static void note_size(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    if (!s->waited)
        return;
    uint64_t n = ex->executions_begun - s->taken_at;
    head->parts++;
    head->executions += n;
    bool small = n < LARGE_PART && head->parts >= FEW_PARTS &&
                 head->executions < head->parts * SMALL_PART;
    if (head->parts == N_PARTS) {
        head->parts /= 2;
        head->executions /= 2;
    }
    __atomic_store_n(&head->small, small ? head->small + (head->small < MOST_SMALL) : 0,
                     __ATOMIC_RELAXED);
}

/* With the lock held: everything has been explored.  What filters find out then takes time, and
 * may be that all have to begin again. */
static bool is_final(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    hd_shared_tree_unlock(s->tree);
    ex->shared->ctl.state = HD_STATE_ENGINE;
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->over)
            ex->filters[i]->over(ex->filter_state[i], ex);
    ex->shared->ctl.state = HD_STATE_PROGRAM;
    hd_shared_tree_lock(s->tree, s->worker);
    return !ex->stop_as;
}

int64_t hd_split_next(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_node *from = NULL;
    hd_shared_tree_lock(s->tree, s->worker);
    if (s->working && ex->marks.base) {
        note_size(ex);
        started(ex);
        from = hd_shared_tree_over(s->tree, s->places[ex->marks.base - 1].node,
                                   ex->path.nodes[ex->marks.base - 1].taken);
    }
    if (s->working) {
        s->working = false;
        check_tree(ex, from);
        if (ex->marks.base == 0 && s->tree->loose)
            s->tree->loose--;
        hd_split_note_dropped(ex);
        bool over = !from && !s->tree->loose && !s->tree->n_nodes;
        if (over && hd_split_next_bound(ex)) {
            hd_shared_tree_unlock(s->tree);
            return 0;
        }
        s->tree->head.finished = over && is_final(ex);
        if (s->tree->head.finished)
            hd_shared_tree_wake(s->tree);
    }
    bool ends = ex->stop_as || (hd_split_is_cyclic(ex) && !is_final(ex));
    int64_t same = ends ? -1 : take_part(ex, from);
    if (same >= 0 && s->tree->in_order)
        hd_shared_tree_offer(s->tree, NULL); /* others may now take something */
    bool finished = s->tree->head.finished;
    check_tree(ex, NULL);
    hd_shared_tree_unlock(s->tree);
    if (finished)
        ex->cnt->finished = 1;
    return same;
}
