/* The invariants of shared_tree.h, checked with --paranoid. */
#include "explore/dpor/wakeup.h"
#include "explore/jobs/shared_tree.h"

static bool is_listed(const struct hd_shared_tree *tree, const struct hd_shared_tree_node *node)
{
    return node->before || tree->open == node;
}

static const char *check_node(const struct hd_shared_tree *tree,
                              const struct hd_shared_tree_node *node)
{
    const struct hd_shared_tree_node *parent = node->parent;
    uint32_t running = 0;
    if (node->n_begun > node->n_open || node->n_open > node->n_allowed ||
        node->n_allowed > node->n_alts)
        return "T1 of the shared tree";
    for (uint32_t i = 0; i < node->n_begun; i++)
        running += !node->alts[i].over;
    if (running != node->n_running)
        return "T2 of the shared tree (running alternatives)";
    if (parent && (parent->depth + 1 != node->depth || node->at >= parent->n_begun ||
                   parent->alts[node->at].over))
        return "T2 of the shared tree (the node below an alternative)";
    if (node->starting && (!node->n_begun || node->alts[node->n_begun - 1].over))
        return "T3 of the shared tree";
    if (is_listed(tree, node) != (node->n_begun < node->n_open))
        return "T4 of the shared tree";
    if (node->n_running == 0 && node->n_begun == node->n_open)
        return "T5 of the shared tree";
    return NULL;
}

static const char *check_up(const struct hd_shared_tree *tree,
                            const struct hd_shared_tree_node *node)
{
    const char *wrong = NULL;
    for (; node && !wrong; node = node->parent)
        wrong = check_node(tree, node);
    return wrong;
}

const char *hd_shared_tree_check(const struct hd_shared_tree *tree,
                                 const struct hd_shared_tree_node *from)
{
    const char *wrong = check_up(tree, from);
    for (const struct hd_shared_tree_node *n = tree->open; n && !wrong; n = n->next) {
        wrong = check_up(tree, n);
        if (!wrong && n->next && n->next->before != n)
            wrong = "T4 of the shared tree (the list)";
    }
    return wrong;
}

/* The thread of an alternative that is not over would be asleep in the part that begins now,
 * unless the first step of that part wakes it. */
const char *hd_shared_tree_check_turn(const struct hd_shared_tree *tree,
                                      const struct hd_shared_tree_node *node)
{
    uint32_t thread = HD_STEP_THREAD(node->alts[node->n_begun].step);
    if (node->starting)
        return "T3 of the shared tree (two parts start)";
    for (uint32_t i = 0; tree->in_order && i < node->n_begun; i++)
        if (!node->alts[i].over && HD_STEP_THREAD(node->alts[i].step) != thread &&
            !hd_wakeup_wakes(tree->wakeup, node->branches, thread, &node->alts[i].action))
            return "T6 of the shared tree";
    return NULL;
}
