/* The usual new event: a load or store of a location that has events, where nothing is asked
 * that is asked rarely.  The general way (decide_any in graph.c) comes to the same, and is
 * taken wherever something here is not so. */
#include "explore/searches/graph_inner.h"

/* Has everything been executed that is in the graph, and is there nothing else to be asked? */
static inline bool is_usual(const struct hd_explorer *ex, const struct hd_graph_search *s)
{
    const struct hd_event *now = hd_event(&s->g, s->now); /* [0] is all zeros */
    uint32_t depth = ex->path.depth;
    return s->usual && !s->odd && !s->g.futexes && !s->joining && !s->rng &&
           s->wanted >= s->n_want && s->dirty >= s->n_run && !hd_search_follows_script(s) &&
           !now->plain && now->part != HD_PART_RMW && depth < ex->opt->depth &&
           depth < HD_MAX_STEPS - 1 && !ex->error[0] &&
           (!s->n_run || s->run[s->n_run - 1].depth < depth);
}

/* Add the load or store that the thread is about to make. */
static inline bool add_access(struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_action *a = &ex->world.config->next[thread];
    bool loads = a->op == HD_OP_ATOMIC_READ || a->op == HD_OP_READ;
    bool stores = a->op == HD_OP_ATOMIC_WRITE || a->op == HD_OP_WRITE;
    uint32_t place = loads || stores ? hd_graph_known_place(ex, a) : 0;
    return place && (loads ? hd_search_load(s, thread, a, place, a->order & 7)
                           : hd_search_store(s, thread, a, place, a->order & 7));
}

bool hd_graph_adds_usual(struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    uint64_t live = config->live.w[0];
    if (!(live & (live - 1)) || (live & ~config->enabled.w[0]) >> config->last & 1 ||
        config->n_threads > 64 || !is_usual(ex, mine(ex)))
        return false;
    uint32_t thread = hd_graph_choose(ex);
    return thread != ~0u && add_access(ex, thread);
}

/* If it can read one store only, and nothing revisits it, nobody will come back to the state
 * before it: none is kept. */
bool hd_graph_reads_on(struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    uint32_t depth = ex->path.depth;
    if (!is_usual(ex, s) || config->n_threads > 64 || hd_graph_choose(ex) != thread ||
        !add_access(ex, thread))
        return false;
    const struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
    if (f->at != f->oldest || !hd_graph_is_in_tail(s, &config->next[thread])) {
        s->prepared = depth + 1;
        return false;
    }
    hd_graph_execute(ex, f->event, 0);
    ex->path.nodes[depth].went_on = true;
    return true;
}
