#include "explore/order/hb_graph.h"

#include "base/hash.h"
#include "core/pack.h"
#include "core/touch.h"

#include <string.h>

static void *grown(struct hd_arena *arena, const void *old, uint64_t old_bytes,
                   uint64_t new_bytes)
{
    void *p = hd_arena_take(arena, new_bytes);
    if (p && old_bytes)
        memcpy(p, old, old_bytes);
    return p;
}

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_hb_graph *h = owner;
    if (to >= h->writes_cap) {
        uint32_t cap = h->writes_cap ? 2 * h->writes_cap : 256;
        uint32_t *writes = grown(h->arena, h->writes, 4ull * h->writes_cap, 4ull * cap);
        if (!writes) {
            h->full = true;
            return;
        }
        h->writes = writes;
        h->writes_cap = cap;
    }
    h->writes[to] = from == to ? 0 : h->writes[from];
}

bool hd_hb_graph_init(struct hd_hb_graph *h, struct hd_arena *arena, bool exact)
{
    memset(h, 0, sizeof *h);
    h->arena = arena;
    h->exact = exact;
    h->nodes_cap = 1024;
    h->table_size = 4096;
    h->labels_cap = 8192;
    h->nodes = hd_arena_take(arena, h->nodes_cap * sizeof *h->nodes);
    h->table = hd_arena_take(arena, h->table_size * sizeof *h->table);
    h->labels = hd_arena_take(arena, h->labels_cap * sizeof *h->labels);
    h->before = hd_arena_take(arena, sizeof(uint32_t) * (uint64_t)HD_MAX_STEPS);
    h->hash_before = hd_arena_take(arena, sizeof(uint64_t) * (uint64_t)HD_MAX_STEPS);
    h->n_nodes = 1; /* 0 is the empty sequence */
    return h->nodes && h->table && h->labels && h->before && h->hash_before &&
           hd_cells_init(&h->cells, arena, h, cell_added);
}

/* Runs of bytes with equal write counts: independent of how the cells are cut at the moment. */
static uint32_t label_range(struct hd_hb_graph *h, const struct hd_touch *r, uint32_t n)
{
    uint64_t run_begin = r->begin;
    uint32_t run_writes = 0;
    for (uint64_t at = r->begin; at < r->end;) {
        uint32_t cell = hd_cells_at(&h->cells, at, r->end);
        if (cell == ~0u || h->full) {
            h->full = true;
            return n;
        }
        uint32_t writes = h->writes[cell];
        if (n + 4 > HD_LABEL_WORDS) {
            h->full = true;
            return n;
        }
        if (at != r->begin && writes != run_writes) {
            h->scratch[n++] = run_begin;
            h->scratch[n++] = (at - run_begin) << 32 | run_writes;
            run_begin = at;
        }
        run_writes = writes;
        at += h->cells.cells[cell].len;
    }
    h->scratch[n++] = run_begin;
    h->scratch[n++] = (r->end - run_begin) << 32 | run_writes;
    return n;
}

/* Write the extended action into scratch; returns its length in words. */
static uint32_t make_label(struct hd_hb_graph *h, const struct hd_action *a, uint32_t chosen)
{
    struct hd_touch ranges[HD_MAX_TOUCHES];
    uint32_t n = 0;
    h->scratch[n++] = (uint64_t)a->op << 32 | (chosen + 1);
    h->scratch[n++] = h->all_before;
    if (hd_op_table[a->op].access == HD_ACCESS_ALL) {
        for (uint32_t t = 0; t < h->n_threads; t++)
            if (h->steps[t])
                h->scratch[n++] = (uint64_t)t << 32 | (h->exact ? h->now[t] : h->steps[t]);
        return n;
    }
    for (int i = 0, count = hd_touches_all(a, ranges); i < count; i++)
        if (!hd_touch_ends(a, &ranges[i]))
            n = label_range(h, &ranges[i], n);
    return n;
}

static bool grow_nodes(struct hd_hb_graph *h)
{
    uint32_t cap = 2 * h->nodes_cap;
    struct hd_sequence *nodes = grown(h->arena, h->nodes, h->n_nodes * sizeof *nodes,
                                      (uint64_t)cap * sizeof *nodes);
    uint32_t *table = hd_arena_take(h->arena, 4ull * cap * sizeof *table);
    if (!nodes || !table)
        return false;
    h->nodes = nodes;
    h->nodes_cap = cap;
    h->table = table;
    h->table_size = 4 * cap;
    for (uint32_t i = 1; i < h->n_nodes; i++) {
        uint64_t hash = hd_hash_bytes(nodes[i].parent, h->labels + nodes[i].label,
                                      8ull * nodes[i].label_words);
        uint32_t slot = (uint32_t)hash & (h->table_size - 1);
        while (table[slot])
            slot = (slot + 1) & (h->table_size - 1);
        table[slot] = i;
    }
    return true;
}

static uint32_t add_node(struct hd_hb_graph *h, uint32_t parent, uint32_t words, uint64_t hash)
{
    if (h->n_nodes == h->nodes_cap && !grow_nodes(h))
        return 0;
    if (h->n_labels + words > h->labels_cap) {
        uint64_t cap = 2 * h->labels_cap + words;
        uint64_t *labels = grown(h->arena, h->labels, 8 * h->n_labels, 8 * cap);
        if (!labels)
            return 0;
        h->labels = labels;
        h->labels_cap = cap;
    }
    memcpy(h->labels + h->n_labels, h->scratch, 8ull * words);
    uint32_t id = h->n_nodes++;
    h->nodes[id] = (struct hd_sequence){ parent, words, h->n_labels };
    h->n_labels += words;
    uint32_t slot = (uint32_t)hash & (h->table_size - 1);
    while (h->table[slot])
        slot = (slot + 1) & (h->table_size - 1);
    h->table[slot] = id;
    return id;
}

uint32_t hd_hb_graph_extend(struct hd_hb_graph *h, uint32_t thread,
                            const struct hd_action *action, uint32_t chosen, bool make,
                            uint64_t *hash)
{
    uint32_t words = make_label(h, action, chosen), parent = h->now[thread];
    if (!h->exact) {
        uint64_t whose = (uint64_t)thread << 32 | h->steps[thread];
        *hash = hd_hash_bytes(hd_hash_mix(whose), h->scratch, 8ull * words);
        return 0;
    }
    uint64_t key = hd_hash_bytes(parent, h->scratch, 8ull * words);
    *hash = hd_hash_step(key, thread);
    if (h->full)
        return 0;
    for (uint32_t slot = (uint32_t)key & (h->table_size - 1); h->table[slot];
         slot = (slot + 1) & (h->table_size - 1)) {
        const struct hd_sequence *node = &h->nodes[h->table[slot]];
        if (node->parent == parent && node->label_words == words &&
            memcmp(h->labels + node->label, h->scratch, 8ull * words) == 0)
            return h->table[slot];
    }
    if (!make)
        return 0;
    uint32_t id = add_node(h, parent, words, key);
    h->full = h->full || id == 0;
    return id;
}

static void count_writes(struct hd_hb_graph *h, const struct hd_action *a, uint32_t by)
{
    struct hd_touch ranges[HD_MAX_TOUCHES];
    for (int i = 0, count = hd_touches_all(a, ranges); i < count; i++) {
        if (!ranges[i].writes || hd_touch_ends(a, &ranges[i]))
            continue;
        for (uint64_t at = ranges[i].begin; at < ranges[i].end && !h->full;) {
            uint32_t cell = hd_cells_at(&h->cells, at, ranges[i].end);
            if (cell == ~0u) {
                h->full = true;
                return;
            }
            h->writes[cell] += by;
            at += h->cells.cells[cell].len;
        }
    }
    if (hd_op_table[a->op].access == HD_ACCESS_ALL)
        h->all_before += by;
}

void hd_hb_graph_ran(struct hd_hb_graph *h, uint32_t thread, const struct hd_action *action,
                     uint32_t chosen)
{
    uint64_t hash;
    if (thread >= h->n_threads)
        h->n_threads = thread + 1;
    h->before[h->depth] = h->now[thread];
    h->hash_before[h->depth] = h->xor_hash;
    h->depth++;
    h->now[thread] = hd_hb_graph_extend(h, thread, action, chosen, true, &hash);
    h->xor_hash ^= hash;
    h->steps[thread]++;
    count_writes(h, action, 1);
}

void hd_hb_graph_back(struct hd_hb_graph *h, uint32_t thread, const struct hd_action *action)
{
    h->depth--;
    count_writes(h, action, (uint32_t)-1);
    h->steps[thread]--;
    h->now[thread] = h->before[h->depth];
    h->xor_hash = h->hash_before[h->depth];
}

void hd_hb_graph_pass(struct hd_hb_graph *h) { h->depth++; }

void hd_hb_graph_unpass(struct hd_hb_graph *h) { h->depth--; }

void hd_hb_graph_pack(struct hd_hb_graph *h, struct hd_pack *p)
{
    uint32_t n = h->n_nodes;
    hd_pack_bool(p, &h->full);
    hd_pack_count(p, &n, UINT32_MAX / 8);
    for (uint32_t i = 1; i < n && !p->bad; i++) {
        struct hd_sequence node = { 0 };
        if (!p->reading)
            node = h->nodes[i];
        hd_pack_u32(p, &node.parent, i - 1);
        hd_pack_u32(p, &node.label_words, HD_LABEL_WORDS);
        void *words = p->reading ? h->scratch : h->labels + node.label;
        hd_pack_bytes(p, words, 8ull * node.label_words);
        if (!p->reading || p->bad)
            continue;
        uint64_t hash = hd_hash_bytes(node.parent, h->scratch, 8ull * node.label_words);
        hd_pack_want(p, add_node(h, node.parent, node.label_words, hash) == i);
    }
}
