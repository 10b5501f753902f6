/* Laying out an explorer: its memory, search, filters and checks. */
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/search.h"

#include <stdlib.h>

static uint32_t patience(const struct hd_options *opt)
{
    uint32_t steps = opt->depth / 8;
    return opt->depth >= HD_MAX_STEPS - 1 ? HD_MAX_STEPS : steps < 4 ? 4 : steps;
}

/* The filter is told of every step. */
static void hears(struct hd_explorer *ex, uint32_t filter)
{
    ex->ran[ex->n_ran].filter = filter;
    ex->ran[ex->n_ran++].ran = ex->filters[filter]->ran;
}

/* The filter whose fast paths may be taken: the one that alone is told of steps, or `states` if
 * beside it there is nothing but what it does itself.  ~0u: there is none. */
static uint32_t fast_filter(const struct hd_explorer *ex)
{
    const uint32_t alone = HD_FILTER_STATES | HD_FILTER_EAGER | 1u << HD_FILTER_INDEX_DEPTH;
    if (ex->search->decide || ex->n_ran > 1)
        return ~0u;
    if (ex->n_ran == 1)
        return ex->ran[0].filter;
    if (ex->opt->filters & ~alone || ex->opt->symmetric || !ex->search->keeps_order)
        return ~0u;
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->index == HD_FILTER_INDEX_STATES)
            return i;
    return ~0u;
}

/* Every exploration has a depth bound: the path has an end. */
void hd_explorer_bind(struct hd_explorer *ex)
{
    ex->search = ex->opt->search == HD_SEARCH_DFS && ex->opt->shuffled
                     ? &hd_search_shuffled
                     : hd_searches[ex->opt->search];
    if (ex->opt->memory != HD_MEMORY_SC && hd_search_samples(ex->opt->search))
        ex->search = &hd_search_graph_sampled;
    if (ex->opt->plugin.used && !hd_search_is_guided(ex->opt->search))
        ex->search = hd_search_samples(ex->opt->search) ? &hd_search_plugin_samples
                                                        : &hd_search_plugin;
    if (ex->split && hd_split_reverses(ex))
        ex->search = &hd_search_reversed;
    ex->prefer = ex->is_drawn ? hd_search_drawn : ex->search->prefer;
    ex->n_filters = 0;
    for (uint32_t i = 0; i < HD_N_FILTERS; i++) {
        if (i != HD_FILTER_INDEX_DEPTH && !(ex->opt->filters & 1u << i))
            continue;
        uint32_t at = ex->n_filters++;
        for (; at > 0 &&
               hd_filter_table[ex->filters[at - 1]->index].stage > hd_filter_table[i].stage;
             at--)
            ex->filters[at] = ex->filters[at - 1];
        ex->filters[at] = hd_filters[i];
    }
    ex->n_ran = ex->hear_end = ex->hear_back = ex->hear_turn = 0;
    for (uint32_t i = 0; i < ex->n_filters; i++) {
        if (ex->filters[i]->ran)
            hears(ex, i);
        ex->hear_end |= (uint32_t)(ex->filters[i]->ended != NULL) << i;
        ex->hear_back |= (uint32_t)(ex->filters[i]->back != NULL) << i;
        ex->hear_turn |= (uint32_t)(ex->filters[i]->turn != NULL) << i;
    }
    ex->limited = ex->opt->max_executions || ex->opt->max_work;
    ex->patience = patience(ex->opt);
    ex->watched = ex->opt->digest || ex->opt->paranoid;
    uint32_t filter = fast_filter(ex);
    const struct hd_fast_paths *fast = filter != ~0u ? ex->filters[filter]->fast : NULL;
    ex->fast = !fast ? NULL : ex->watched ? &fast->watched : &fast->plain;
    ex->many = fast && fast->many.go_on ? &fast->many : NULL;
}

/* Where a thread went on without a decision, `states` does what `eager` would do. */
static bool is_asked_elsewhere(const struct hd_explorer *ex, enum hd_filter_index filter)
{
    return filter == HD_FILTER_INDEX_DEPTH ||
           (filter == HD_FILTER_INDEX_EAGER && ex->opt->filters & HD_FILTER_STATES);
}

static void create_filters(struct hd_explorer *ex)
{
    bool asks = false, others = false;
    for (uint32_t i = 0; i < ex->n_filters; i++) {
        ex->filter_state[i] = ex->filters[i]->create(ex);
        if (ex->filters[i]->goes_on) {
            asks = true;
            ex->chooser = i;
        }
        others = others || (ex->filters[i]->admit && !ex->filters[i]->goes_on &&
                            !is_asked_elsewhere(ex, ex->filters[i]->index));
    }
    ex->decided = hd_arena_take(&ex->arena, HD_DECIDED);
    /* With --finer locks it is decided at every node who is in a section and goes on. */
    ex->may_go_on = asks && !others && ex->decided && ex->search->keeps_order &&
                    !(ex->opt->finer & HD_FINER_LOCKS);
    ex->decides_each = !ex->may_go_on && !ex->fast && !ex->search->decide;
    ex->is_drawn = ex->opt->first_random && ex->may_go_on && !ex->search->prefer;
    if (ex->is_drawn) {
        ex->may_go_on = false;
        ex->prefer = hd_search_drawn;
        ex->rng.state = HD_DRAWN_SEED;
    }
    hd_explorer_decides(ex);
    ex->fast_self = ex->fast ? ex->filter_state[fast_filter(ex)] : NULL;
}

struct hd_explorer *hd_explorer_create(struct hd_worker_memory *shared, void *memory,
                                       uint64_t bytes, const struct hd_world *world)
{
    struct hd_arena arena = { memory, 0, bytes };
    struct hd_explorer *ex = hd_arena_take(&arena, sizeof *ex);
    if (!ex)
        return NULL;
    ex->guard = ex->guard_behind = HD_EXPLORER_GUARD;
    ex->shared = shared;
    ex->cnt = &shared->cnt;
    ex->opt = &shared->options;
    ex->world = *world;
    ex->rng.state = ex->opt->seed;
    hd_explorer_bind(ex);
    ex->bound = ex->opt->iterative ? 0 : ex->opt->preemptions;
    ex->cnt->bound_now = ex->bound;
    ex->path.steps = shared->steps;
    struct hd_node *nodes = hd_arena_take(&arena, sizeof *nodes * (1ull + HD_MAX_STEPS));
    ex->path.alts = hd_arena_take(&arena, sizeof(uint32_t) * 64ull * HD_MAX_STEPS);
    ex->path.more = hd_arena_take(&arena, sizeof *ex->path.more * (uint64_t)HD_MAX_STEPS);
    if (!nodes || !ex->path.alts || !ex->path.more)
        return NULL;
    ex->path.nodes = nodes + 1;
    ex->arena = arena;
    if (ex->search->create && !(ex->search_state = ex->search->create(ex)))
        return NULL;
    create_filters(ex);
    hd_checks_create(ex);
    hd_explorer_look_again(ex);
    ex->cnt->begun = ex->executions_begun = 1;
    return ex;
}

bool hd_explorer_join(struct hd_explorer *ex, void *memory, uint64_t bytes, uint32_t worker)
{
    return (worker != 0 || hd_shared_tree_init(memory, bytes)) &&
           hd_split_join(ex, memory, worker);
}

bool hd_explorer_may_start(const struct hd_worker_memory *shared, void *memory, uint32_t worker,
                           bool has_unit)
{
    return hd_split_await_first(shared, memory, worker, has_unit);
}

uint32_t hd_explorer_n_parked(const struct hd_explorer *ex)
{
    return ex->split->tree->head.n_parked;
}

bool hd_explorer_rooted(struct hd_explorer *ex) { return !ex->split || hd_split_begin(ex); }

uint32_t hd_explorer_name(struct hd_explorer *ex, uint32_t parent, uint32_t nth)
{
    uint32_t id = hd_shared_name(ex->shared, parent, nth, !ex->split);
    return id == HD_MAX_THREADS && ex->split ? hd_split_name(ex, parent, nth) : id;
}

void hd_explorer_bug(const struct hd_explorer *ex, const char *what)
{
    if (ex->world.bug)
        ex->world.bug(ex->world.self, what);
    abort();
}

static const char *check_marks(const struct hd_explorer *ex)
{
    const struct hd_path *p = &ex->path;
    const struct hd_marks *m = &ex->marks;
    if (ex->shared->depth != p->depth)
        return "the depth of the path, which the supervisor reads,";
    if (m->base > p->n_nodes || m->counted > p->n_nodes || m->target > p->n_nodes)
        return "M1 of the explorer";
    if (m->notified > p->depth || m->notify_until > p->depth)
        return "M2 of the explorer";
    if (m->fast_until && m->fast_until != m->single_until)
        return "M3 of the explorer";
    for (uint32_t d = p->open; d < p->n_nodes; d++)
        if (p->nodes[d].taken + 1 < p->nodes[d].n_open)
            return "the depth from which on nothing is open";
    return NULL;
}

void hd_explorer_check(const struct hd_explorer *ex)
{
    const char *wrong = hd_path_check(&ex->path);
    if (!wrong && ex->world.check)
        ex->world.check(ex->world.self);
    wrong = wrong ? wrong : check_marks(ex);
    for (uint32_t i = 0; i < ex->n_filters && !wrong; i++)
        if (ex->filters[i]->check)
            wrong = ex->filters[i]->check(ex->filter_state[i], ex);
    if (!wrong && ex->search->check)
        wrong = ex->search->check(ex);
    if (wrong)
        hd_explorer_bug(ex, wrong);
}
