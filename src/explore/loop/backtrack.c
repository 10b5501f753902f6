/* Backtrack points: alternatives that a reduction opens later, at nodes of the path. */
#include "core/enabled.h"
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"

#include <string.h>

bool hd_explorer_add(struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    struct hd_node *node = &ex->path.nodes[depth];
    if (hd_node_unlisted(node)) {
        hd_path_all(&ex->path, depth);
        hd_explorer_look_again(ex); /* there is less room */
        if (node->went_on)
            *hd_explorer_decided(ex, &node->action) = 1;
    }
    bool common = hd_split_is_common(ex, depth);
    if (common)
        hd_split_enter(ex, depth);
    uint32_t *alts = hd_path_alts(&ex->path, depth), before = node->n_open;
    for (uint32_t i = before; i < node->n_allowed; i++)
        if (HD_STEP_THREAD(alts[i]) == thread) {
            uint32_t moved = alts[node->n_open];
            alts[node->n_open++] = alts[i];
            alts[i] = moved;
        }
    bool added = node->n_open > before;
    if (added)
        hd_path_opened(&ex->path, depth);
    ex->cnt->choices += added && before == 1;
    if (common)
        hd_split_leave(ex, depth);
    return added;
}

void hd_explorer_open(struct hd_explorer *ex, uint32_t depth, uint32_t step)
{
    struct hd_node *node = &ex->path.nodes[depth];
    uint32_t *alts = hd_path_alts(&ex->path, depth), k = node->n_open, to = node->n_open;
    while (k < node->n_allowed && alts[k] != step)
        k++;
    if (k == node->n_allowed)
        return; /* it is open already */
    for (uint32_t i = node->taken; i < node->n_open; i++)
        if (HD_STEP_THREAD(alts[i]) == HD_STEP_THREAD(step))
            to = i + 1;
    alts[k] = alts[node->n_open];
    for (k = node->n_open; k > to; k--)
        alts[k] = alts[k - 1];
    alts[to] = step;
    hd_path_opened(&ex->path, depth);
    ex->cnt->choices += node->n_open++ == 1;
}

void hd_explorer_list_choices(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_node *node = &ex->path.nodes[depth];
    uint32_t *alts = hd_path_alts(&ex->path, depth), listed = node->n_alts;
    for (uint32_t i = node->taken; i < node->n_alts; i++) {
        uint32_t thread = alts[i], more = ex->world.config->next[thread].choices - 1u;
        if (more == 0 || !hd_tset_has(&ex->world.config->enabled, thread))
            continue;
        memmove(alts + i + 1 + more, alts + i + 1, (node->n_alts - i - 1) * sizeof *alts);
        for (uint32_t c = 1; c <= more; c++)
            alts[i + c] = HD_STEP_PACK(thread, c);
        node->n_open += i < node->n_open ? more : 0;
        node->n_alts += more;
        node->n_allowed += more;
        i += more;
    }
    node->unsure = false;
    if (node->n_alts == listed)
        return;
    hd_path_opened(&ex->path, depth);
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->listed)
            ex->filters[i]->listed(ex->filter_state[i], ex, depth);
}
