/* The tree that several workers share, as bytes.
 *
 * Every node is the parent of another one, has an open alternative, or is above the part of a
 * worker: so all are found by going up from nodes of the last two kinds.  A node is written
 * before its parent, which is the next one unless it has been written already. */
#include "core/pack_parts.h"
#include "explore/dpor/wakeup.h"
#include "explore/jobs/shared_tree.h"

#define MOST_ALTS (1u << 20)

static void pack_alternatives(struct hd_shared_tree_node *node, struct hd_pack *p)
{
    for (uint32_t i = 0; i < node->n_alts && !p->bad; i++) {
        struct hd_shared_tree_alt *alt = &node->alts[i];
        hd_pack_step(p, &alt->step);
        if (i >= node->n_begun)
            continue;
        hd_pack_u32(p, &alt->over, 1);
        hd_pack_action(p, &alt->action);
    }
}

/* All of a node except its parent. */
static struct hd_shared_tree_node *pack_node(struct hd_shared_tree *tree, struct hd_pack *p,
                                             struct hd_shared_tree_node *node)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_shared_tree_node, depth),
        HD_FIELD(struct hd_shared_tree_node, at),
        HD_FIELD(struct hd_shared_tree_node, n_open),
        HD_FIELD(struct hd_shared_tree_node, n_allowed),
        HD_FIELD(struct hd_shared_tree_node, n_begun),
        HD_FIELD(struct hd_shared_tree_node, n_running),
        HD_FLAG(struct hd_shared_tree_node, starting),
    };
    uint32_t n = node ? node->n_alts : 0;
    hd_pack_count(p, &n, MOST_ALTS);
    if (p->reading && (p->bad || !n || !(node = hd_shared_tree_node(tree, n)))) {
        hd_pack_refuse(p);
        return NULL;
    }
    HD_PACK_FIELDS(p, node, fields);
    hd_pack_thread(p, &node->last);
    hd_pack_want(p, node->depth < HD_MAX_STEPS && node->n_begun &&
                        node->n_begun <= node->n_open && node->n_open <= node->n_allowed &&
                        node->n_allowed <= n && node->n_running <= node->n_begun);
    if (p->bad)
        return NULL;
    pack_alternatives(node, p);
    hd_pack_set(p, &node->wakeful);
    hd_pack_set(p, &node->failed);
    hd_wakeup_pack_list(tree->wakeup, p, &node->branches);
    return node;
}

/* Write the node and the nodes above it that have not been written.  Returns how many have been
 * written. */
static uint32_t write_upwards(struct hd_shared_tree *tree, struct hd_pack *p,
                              struct hd_shared_tree_node *node, uint32_t n)
{
    while (node && !node->number && !p->bad) {
        node->number = ++n;
        struct hd_shared_tree_node *above = node->parent;
        uint32_t more = 1, parent = !above ? 0 : above->number ? above->number : n + 1;
        hd_pack_u32(p, &more, 1);
        hd_pack_u32(p, &parent, UINT32_MAX);
        pack_node(tree, p, node);
        node = above;
    }
    return n;
}

static void unmark(struct hd_shared_tree_node *node)
{
    for (; node && node->number; node = node->parent)
        node->number = 0;
}

static void write_nodes(struct hd_shared_tree *tree, struct hd_pack *p)
{
    uint32_t n = 0, more = 0, stopped = 0;
    for (struct hd_shared_tree_node *node = tree->open; node; node = node->next)
        n = write_upwards(tree, p, node, n);
    for (uint32_t i = 0; i < HD_MAX_STOPPED; i++) {
        n = write_upwards(tree, p, tree->stopped_at[i], n);
        stopped = tree->stopped_at[i] ? i + 1 : stopped;
    }
    hd_pack_u32(p, &more, 1);
    hd_pack_u32(p, &stopped, HD_MAX_STOPPED);
    for (uint32_t i = 0; i < stopped; i++) {
        uint32_t number = tree->stopped_at[i] ? tree->stopped_at[i]->number : 0;
        hd_pack_u32(p, &number, n);
    }
    for (struct hd_shared_tree_node *node = tree->open; node; node = node->next)
        unmark(node);
    for (uint32_t i = 0; i < HD_MAX_STOPPED; i++)
        unmark(tree->stopped_at[i]);
}

/* Read the nodes into a list, newest first, linked by `next`; `number` gets the number of the
 * parent. */
static struct hd_shared_tree_node *read_each(struct hd_shared_tree *tree, struct hd_pack *p,
                                             uint32_t *n)
{
    struct hd_shared_tree_node *newest = NULL;
    uint32_t more = 0, parent = 0;
    for (hd_pack_u32(p, &more, 1); more && !p->bad; hd_pack_u32(p, &more, 1)) {
        hd_pack_u32(p, &parent, *n + 2);
        hd_pack_want(p, parent != *n + 1);
        struct hd_shared_tree_node *node = pack_node(tree, p, NULL);
        if (!node)
            return NULL;
        node->number = parent;
        node->next = newest;
        newest = node;
        ++*n;
    }
    return newest;
}

/* A parent is one step higher and has begun the alternative that leads to the node. */
static bool fits(const struct hd_shared_tree_node *node)
{
    const struct hd_shared_tree_node *above = node->parent;
    return above ? node->depth == above->depth + 1 && node->at < above->n_begun
                 : node->depth == 0;
}

static void link_nodes(struct hd_shared_tree *tree, struct hd_pack *p,
                       struct hd_shared_tree_node **nodes, uint32_t n)
{
    for (uint32_t i = 1; i <= n && !p->bad; i++) {
        struct hd_shared_tree_node *node = nodes[i];
        hd_pack_want(p, node->number <= n);
        if (p->bad)
            return;
        node->parent = node->number ? nodes[node->number] : NULL;
        node->next = node->before = NULL;
    }
    for (uint32_t i = 1; i <= n && !p->bad; i++) {
        nodes[i]->number = 0;
        hd_pack_want(p, fits(nodes[i]));
        if (nodes[i]->n_begun < nodes[i]->n_open)
            hd_shared_tree_opened(tree, nodes[i], nodes[i]->n_open - nodes[i]->n_begun);
    }
}

/* T2: each alternative that is not over has a node below it, or a part in a unit.  Otherwise
 * the exploration would end too early, or never. */
static void check_running(struct hd_shared_tree *tree, struct hd_pack *p,
                          struct hd_shared_tree_node **nodes, uint32_t n)
{
    uint32_t roots = 0;
    for (uint32_t i = 1; i <= n; i++) {
        roots += !nodes[i]->parent;
        if (nodes[i]->parent)
            nodes[i]->parent->number++;
    }
    for (uint32_t i = 0; i < HD_MAX_STOPPED; i++)
        if (tree->stopped_at[i])
            tree->stopped_at[i]->number++;
    hd_pack_want(p, roots <= 1);
    for (uint32_t i = 1; i <= n; i++) {
        hd_pack_want(p, nodes[i]->number == nodes[i]->n_running);
        nodes[i]->number = 0;
    }
}

static void read_nodes(struct hd_shared_tree *tree, struct hd_pack *p)
{
    uint32_t n = 0;
    struct hd_shared_tree_node *newest = read_each(tree, p, &n);
    struct hd_shared_tree_node **nodes = hd_arena_take(&tree->arena, 8ull * (n + 1));
    hd_pack_want(p, nodes != NULL);
    for (uint32_t i = n; i > 0 && !p->bad; i--, newest = newest->next)
        nodes[i] = newest;
    if (!p->bad)
        link_nodes(tree, p, nodes, n);
    uint32_t stopped = 0;
    hd_pack_count(p, &stopped, HD_MAX_STOPPED);
    for (uint32_t i = 0; i < stopped && !p->bad; i++) {
        uint32_t number = 0;
        hd_pack_u32(p, &number, n);
        tree->stopped_at[i] = number ? nodes[number] : NULL;
    }
    if (!p->bad)
        check_running(tree, p, nodes, n);
}

static void pack_keys(struct hd_shared_tree *tree, struct hd_pack *p,
                      struct hd_shared_tree_set *set)
{
    uint64_t n = set->n, at = 0, key[2];
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; i < n && !p->bad; i++) {
        while (!p->reading && !set->table[at][0])
            at++;
        if (!p->reading) {
            key[0] = set->table[at][0];
            key[1] = set->table[at++][1];
        }
        hd_pack_words(p, key, 2);
        if (p->reading)
            hd_pack_want(p, key[0] && hd_shared_tree_set_add(tree, set, key));
    }
}

void hd_shared_tree_pack(struct hd_shared_tree *tree, struct hd_pack *p)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_shared_tree_head, small),
        HD_FIELD(struct hd_shared_tree_head, parts),
        HD_FIELD(struct hd_shared_tree_head, executions),
    };
    struct hd_shared_tree_head *head = &tree->head;
    HD_PACK_FIELDS(p, head, fields);
    hd_pack_u32(p, &tree->loose, HD_MAX_STOPPED);
    hd_pack_u32(p, &tree->bound, UINT32_MAX);
    hd_pack_bool(p, &tree->dropped);
    hd_pack_u32(p, &head->n_threads, HD_MAX_THREADS);
    hd_pack_want(p, head->n_threads != 0);
    for (uint32_t i = 1; i < head->n_threads; i++) {
        uint32_t parent = head->threads[i].parent, nth = head->threads[i].nth;
        hd_pack_u32(p, &parent, i - 1);
        hd_pack_u32(p, &nth, UINT16_MAX);
        head->threads[i] = (struct hd_thread_name){ (uint16_t)parent, (uint16_t)nth };
    }
    pack_keys(tree, p, &tree->traces);
    pack_keys(tree, p, &tree->observations);
    if (tree->states.bits.bits)
        hd_bitstate_pack(&tree->states.bits, p);
    if (tree->states.n_groups) {
        hd_state_table_pack(&tree->states, p);
        hd_state_edges_pack(&tree->edges, &tree->arena, p);
        hd_pack_u32(p, &tree->cyclic, 1);
        hd_pack_u32(p, &tree->suspect, 1);
    }
    if (p->reading)
        read_nodes(tree, p);
    else
        write_nodes(tree, p);
}
