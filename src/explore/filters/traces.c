/* traces: drops nothing; counts the distinct happens-before graphs among the complete
 * executions (by a 128-bit hash), which shows how much of a search was redundant. */
#include "explore/loop/filter.h"

#include "core/pack_parts.h"
#include "explore/jobs/split.h"
#include "explore/order/hb.h"

#include <string.h>

struct traces {
    struct hd_hb hb;
    uint64_t (*table)[2];
    uint64_t size, n;
};

static void *create(struct hd_explorer *ex)
{
    struct traces *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s || !hd_hb_init(&s->hb, &ex->arena, true))
        return NULL;
    if (!ex->hb)
        ex->hb = &s->hb;
    return s;
}

static uint64_t slot_of(uint64_t (*table)[2], uint64_t size, const uint64_t key[2])
{
    uint64_t i = key[0] & (size - 1);
    while ((table[i][0] | table[i][1]) && (table[i][0] != key[0] || table[i][1] != key[1]))
        i = (i + 1) & (size - 1);
    return i;
}

static bool grow(struct hd_explorer *ex, struct traces *s)
{
    uint64_t size = s->size ? 2 * s->size : 1024;
    uint64_t(*table)[2] = hd_arena_take(&ex->arena, 16 * size);
    if (!table)
        return false;
    for (uint64_t i = 0; i < s->size; i++) {
        if (!(s->table[i][0] | s->table[i][1]))
            continue;
        uint64_t at = slot_of(table, size, s->table[i]);
        table[at][0] = s->table[i][0];
        table[at][1] = s->table[i][1];
    }
    if (s->table)
        hd_arena_give_back(s->table, 16 * s->size);
    s->table = table;
    s->size = size;
    return true;
}

/* Add a key; there is room.  Returns whether it is new. */
static bool add(struct traces *s, const uint64_t key[2])
{
    uint64_t at = slot_of(s->table, s->size, key);
    if (s->table[at][0])
        return false;
    s->table[at][0] = key[0];
    s->table[at][1] = key[1];
    s->n++;
    return true;
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    (void)finding;
    struct traces *s = self;
    uint64_t key[2];
    if (!s || s->hb.full || (2 * s->n >= s->size && !grow(ex, s)))
        return;
    hd_hb_graph_hash(&s->hb, key);
    key[0] |= 1;
    if (add(s, key) && (!ex->split || hd_split_new_trace(ex, key)))
        ex->cnt->traces++;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct traces *s = self;
    if (!s)
        return;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t choice = HD_STEP_CHOICE(ex->path.steps[depth]);
    uint32_t chosen = ex->world.chosen(ex->world.self, thread, choice);
    const struct hd_action *action = &ex->path.nodes[depth].action;
    hd_hb_ran(&s->hb, thread, action, chosen, choice, hd_explorer_sync_state(ex, action));
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct traces *s = self;
    (void)ex;
    if (s)
        hd_hb_back(&s->hb, depth);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct traces *s = self;
    uint64_t n = s && !p->part ? s->n : 0, at = 0, key[2];
    hd_pack_count64(p, &n, UINT64_MAX);
    hd_pack_want(p, s || !n);
    for (uint64_t i = 0; i < n && !p->bad; i++) {
        while (!p->reading && !s->table[at][0])
            at++;
        if (!p->reading)
            memcpy(key, s->table[at++], sizeof key);
        hd_pack_words(p, key, 2);
        if (!p->reading)
            continue;
        hd_pack_want(p, key[0] & 1 && (2 * s->n < s->size || grow(ex, s)));
        if (!p->bad && add(s, key) && ex->split)
            hd_split_new_trace(ex, key); /* tell all workers */
    }
}

const struct hd_filter hd_filter_traces = {
    .index = HD_FILTER_INDEX_TRACES,
    .create = create,
    .ran = ran,
    .back = back,
    .ended = ended,
    .pack = pack,
};
