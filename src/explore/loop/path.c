#include "explore/loop/path.h"

#include "core/enabled.h"

#include <stdlib.h>
#include <string.h>

bool hd_path_left_freely(const struct hd_path *p, uint32_t depth)
{
    uint16_t before = depth ? p->nodes[depth - 1].action.op : HD_OP_NONE;
    return hd_op_pauses((enum hd_op)before);
}

bool hd_path_preempts(const struct hd_path *p, uint32_t depth, uint32_t alternative)
{
    const struct hd_node *node = &p->nodes[depth];
    if (depth == 0 || HD_STEP_THREAD(alternative) == node->last || hd_path_left_freely(p, depth))
        return false;
    const uint32_t *alts = hd_path_alts(p, depth);
    for (uint32_t i = 0; i < node->n_alts; i++)
        if (HD_STEP_THREAD(alts[i]) == node->last)
            return true;
    return false;
}

uint32_t hd_path_preemptions(const struct hd_path *p, uint32_t depth)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < depth; d++)
        n += hd_path_preempts(p, d, p->steps[d]);
    return n;
}

bool hd_path_moves(const struct hd_path *p, uint32_t thread, uint32_t depth)
{
    for (uint32_t d = depth; d < p->depth; d++)
        if (HD_STEP_THREAD(p->steps[d]) == thread)
            return true;
    return false;
}

void hd_path_all(struct hd_path *p, uint32_t depth)
{
    struct hd_node *node = &p->nodes[depth];
    if (!hd_node_unlisted(node))
        return;
    uint32_t *alts = hd_path_alts(p, depth), words = 1;
    struct hd_tset others = { { node->enabled } };
    if (node->many) {
        memcpy(others.w + 1, p->more[depth].w, sizeof p->more[depth].w);
        words = HD_TSET_WORDS;
    }
    hd_tset_del(&others, HD_STEP_THREAD(alts[0]));
    uint32_t more = 0;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t w = others.w[i]; w; w &= w - 1) /* they are few: a loop is faster */
            more++;
    const struct hd_node *last = &p->nodes[p->n_nodes - 1];
    memmove(alts + 1 + more, alts + 1,
            (last->alts + last->n_alts - node->alts - 1) * sizeof *alts);
    for (uint32_t d = depth + 1; d < p->n_nodes; d++)
        p->nodes[d].alts += more;
    node->n_alts = node->n_allowed = 1 + more;
    alts++;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t w = others.w[i]; w; w &= w - 1)
            *alts++ = 64 * i + (uint32_t)__builtin_ctzll(w);
    node->enabled = 0;
    node->many = false;
    node->unsure = true;
}

const char *hd_path_check(const struct hd_path *p)
{
    if (p->depth > p->n_nodes || p->n_nodes >= HD_MAX_STEPS)
        return "P4 of the path";
    for (uint32_t d = 0; d < p->n_nodes; d++) {
        const struct hd_node *node = &p->nodes[d];
        if (node->taken >= node->n_open || node->n_open > node->n_allowed ||
            node->n_allowed > node->n_alts)
            return "P2 of the path";
        if (d + 1 < p->n_nodes && node->alts + node->n_alts != p->nodes[d + 1].alts)
            return "P1 of the path";
        if (d < p->depth && p->steps[d] != hd_path_alts(p, d)[node->taken])
            return "P3 of the path";
    }
    return NULL;
}

uint32_t hd_path_of_thread(uint32_t *alts, uint32_t n, uint32_t thread)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (HD_STEP_THREAD(alts[i]) == thread) {
            uint32_t moved = alts[i];
            memmove(alts + kept + 1, alts + kept, (i - kept) * sizeof *alts);
            alts[kept++] = moved;
        }
    return kept;
}
