/* What workers of a search over states have in common: the states (state_table.h). */
#include "explore/jobs/split.h"

#include "explore/loop/search.h"

bool hd_split_reverses(const struct hd_explorer *ex)
{
    return ex->opt->filters & HD_FILTER_STATES && ex->search == hd_searches[HD_SEARCH_DFS] &&
           ex->split->worker % 2 == 1;
}

bool hd_split_make_states(struct hd_explorer *ex, struct hd_shared_tree *tree)
{
    if (!(ex->opt->filters & HD_FILTER_STATES))
        return true;
    if (ex->opt->state_store == HD_STORE_BITS)
        return hd_bitstate_init(&tree->states.bits, &tree->arena, ex->opt->state_cache,
                                ex->opt->state_memory);
    return hd_state_table_init(&tree->states, &tree->arena, ex->opt->note_steps);
}

void hd_split_prefetch(const struct hd_explorer *ex, const uint64_t key[2])
{
    hd_state_table_prefetch(&ex->split->tree->states, key);
}

uint64_t hd_split_states_bytes(const struct hd_explorer *ex)
{
    const struct hd_state_table *states = &ex->split->tree->states;
    return __atomic_load_n(&states->n_groups, __ATOMIC_RELAXED) * sizeof *states->groups;
}

enum hd_claim hd_split_claim(struct hd_explorer *ex, const uint64_t key[2],
                             struct hd_state_tag *tag)
{
    struct hd_split *s = ex->split;
    struct hd_state_table *states = &s->tree->states;
    *tag = (struct hd_state_tag){ .rank = ex->path.depth + 1 };
    if (states->bits.bits)
        return hd_bitstate_mark(&states->bits, key[0], key[1]) ? HD_CLAIM_OURS : HD_CLAIM_KNOWN;
    enum hd_claim claim = hd_state_table_claim(states, s->worker, key, tag);
    if (claim == HD_CLAIM_FULL)
        hd_explorer_give_up(ex, "there is no room for more states: use -j 1, or --bitstate");
    if (claim == HD_CLAIM_OURS && hd_state_table_is_filled(states)) {
        hd_shared_tree_lock(s->tree, s->worker);
        hd_state_table_grow(states);
        hd_shared_tree_unlock(s->tree);
    }
    return claim;
}

void hd_split_note_edge(struct hd_explorer *ex, const struct hd_state_tag *from,
                        const struct hd_state_tag *to)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree *tree = s->tree;
    if (to->rank <= from->rank)
        __atomic_store_n(&tree->suspect, 1, __ATOMIC_RELAXED);
    if (!tree->states.numbered)
        return;
    if (!hd_state_edges_have_room(&tree->edges, s->worker)) {
        hd_shared_tree_lock(tree, s->worker);
        hd_state_edges_make_room(&tree->edges, s->worker, &tree->arena);
        hd_shared_tree_unlock(tree);
    }
    hd_state_edges_add(&tree->edges, s->worker, from->number, to->number);
}

bool hd_split_lacks_steps(const struct hd_explorer *ex)
{
    const struct hd_shared_tree *tree = ex->split->tree;
    return __atomic_load_n(&tree->suspect, __ATOMIC_RELAXED) && !tree->states.numbered;
}

void hd_split_cyclic(struct hd_explorer *ex)
{
    __atomic_store_n(&ex->split->tree->cyclic, 1, __ATOMIC_RELAXED);
}

bool hd_split_is_cyclic(const struct hd_explorer *ex)
{
    return __atomic_load_n(&ex->split->tree->cyclic, __ATOMIC_RELAXED);
}

/* Where every step leads to a larger rank there is no cycle. */
void hd_split_find_cycle(struct hd_explorer *ex)
{
    struct hd_shared_tree *tree = ex->split->tree;
    if (!tree->suspect || !tree->states.numbered || hd_split_is_cyclic(ex))
        return;
    enum hd_cyclic found = hd_state_edges_cyclic(&tree->edges, tree->states.numbers,
                                                 &tree->arena);
    if (found == HD_CYCLIC)
        hd_split_cyclic(ex);
    if (found == HD_CYCLIC_UNKNOWN)
        ex->cnt->cycles_unknown = 1;
}
