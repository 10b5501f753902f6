#include "explore/jobs/unit.h"

#include "base/hash.h"
#include "core/pack_parts.h"
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/search.h"

#define HEAD_BYTES 32u /* four words of eight bytes, the lowest byte first */

/* ---- the path ---- */

/* Of a node that lists one alternative: was its thread enabled? */
static bool was_enabled(const struct hd_explorer *ex, const struct hd_node *node, uint32_t thread)
{
    if (thread < 64)
        return node->enabled >> thread & 1;
    const struct hd_path_more *more = &ex->path.more[node - ex->path.nodes];
    return node->many && more->w[(thread >> 6) - 1] >> (thread & 63) & 1;
}

/* Of a node whose other threads have not been listed (path.h). */
static bool can_have_gone_on(const struct hd_explorer *ex, const struct hd_node *node,
                             const uint32_t *alts)
{
    if (!hd_node_unlisted(node) && !node->went_on && !node->unsure)
        return true;
    return ex->may_go_on &&
           (!hd_node_unlisted(node) ||
            (node->n_alts == 1 && was_enabled(ex, node, HD_STEP_THREAD(alts[0]))));
}

static void pack_node(struct hd_pack *p, struct hd_explorer *ex, uint32_t depth)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_node, n_open),    HD_FIELD(struct hd_node, taken),
        HD_FIELD(struct hd_node, n_allowed), HD_FLAG(struct hd_node, unsure),
        HD_FLAG(struct hd_node, many),       HD_FLAG(struct hd_node, went_on),
        HD_FIELD(struct hd_node, enabled),
    };
    struct hd_node *node = &ex->path.nodes[depth];
    if (p->reading)
        node->alts = depth ? node[-1].alts + node[-1].n_alts : 0;
    hd_pack_count(p, &node->n_alts, hd_explorer_alts_left(ex, node->alts));
    HD_PACK_FIELDS(p, node, fields);
    if (node->many)
        hd_pack_words(p, ex->path.more[depth].w, HD_TSET_WORDS - 1);
    hd_pack_thread(p, &node->last);
    hd_pack_action(p, &node->action);
    hd_pack_want(p, node->taken < node->n_open && node->n_open <= node->n_allowed &&
                        node->n_allowed <= node->n_alts);
    uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < node->n_alts; i++)
        hd_pack_step(p, &alts[i]);
    hd_pack_want(p, can_have_gone_on(ex, node, alts));
    if (p->reading && !p->bad)
        ex->path.steps[depth] = alts[node->taken];
}

static void pack_path(struct hd_pack *p, struct hd_explorer *ex)
{
    hd_pack_part(p, HD_UNIT_PATH);
    uint32_t n = ex->path.n_nodes;
    hd_pack_count(p, &n, ex->opt->depth < HD_MAX_STEPS - 1 ? ex->opt->depth : HD_MAX_STEPS - 1);
    for (uint32_t d = 0; d < n && !p->bad; d++)
        pack_node(p, ex, d);
    if (!p->reading || p->bad)
        return;
    ex->path.n_nodes = ex->path.open = n;
    hd_pack_want(p, !ex->split || hd_split_fits(ex));
}

/* ---- the explorer ---- */

static void pack_estimate(struct hd_pack *p, struct hd_estimate *estimate)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_estimate, deepest),
        HD_FIELD(struct hd_estimate, looks),
        HD_FIELD(struct hd_estimate, deeper),
    };
    uint32_t n = HD_ESTIMATE_DEPTH;
    while (!p->reading && n && estimate->at[n - 1].nodes == 0)
        n--;
    HD_PACK_FIELDS(p, estimate, fields);
    hd_pack_u32(p, &n, HD_ESTIMATE_DEPTH);
    hd_pack_bytes(p, estimate->at, n * sizeof *estimate->at);
}

/* The entries of a sparse table that are not 0. */
static void pack_decided(struct hd_pack *p, uint8_t *decided)
{
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < HD_DECIDED && !p->reading; i++)
        n += decided[i];
    hd_pack_count(p, &n, HD_DECIDED);
    for (uint32_t k = 0; k < n; k++, at++) {
        while (!p->reading && !decided[at])
            at++;
        hd_pack_u32(p, &at, HD_DECIDED - 1);
        decided[at] = 1;
    }
}

static void pack_observed(struct hd_pack *p, struct hd_explorer *ex)
{
    uint64_t n = ex->n_observed, at = 0;
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; i < n && !p->bad; i++) {
        uint64_t key = 0;
        while (!p->reading && !(key = ex->observed[at++]))
            ;
        hd_pack_u64(p, &key);
        if (!p->reading)
            continue;
        hd_pack_want(p, key && hd_explorer_known_observation(ex, key));
        if (ex->split && !p->bad)
            hd_split_new_observation(ex, key); /* tell all workers */
    }
}

static void pack_explorer(struct hd_pack *p, struct hd_explorer *ex)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_explorer, rng.state),        HD_FIELD(struct hd_explorer, bound),
        HD_FIELD(struct hd_explorer, executions_begun), HD_FLAG(struct hd_explorer, partial),
        HD_FIELDS(struct hd_explorer, state),           HD_FLAG(struct hd_explorer, state_known),
        HD_FLAG(struct hd_explorer, state_met),         HD_FIELD(struct hd_explorer, leads_back),
        HD_FLAG(struct hd_explorer, start_again),       HD_FLAG(struct hd_explorer, stop_here),
    };
    hd_pack_part(p, HD_UNIT_EXPLORER);
    HD_PACK_FIELDS(p, ex, fields);
    pack_estimate(p, &ex->estimate);
    pack_decided(p, ex->decided);
    pack_observed(p, ex);
}

/* ---- all of it ---- */

static void pack_filters(struct hd_pack *p, struct hd_explorer *ex)
{
    for (uint32_t i = 0; i < ex->n_filters && !p->bad; i++) {
        hd_pack_part(p, HD_UNIT_FILTER + ex->filters[i]->index);
        if (ex->filters[i]->pack)
            ex->filters[i]->pack(ex->filter_state[i], ex, p);
        else
            hd_pack_refuse(p);
    }
}

/* The place in the tree, the path, and the filters' state for it. */
static void pack_part(struct hd_pack *p, struct hd_explorer *ex)
{
    hd_pack_u32(p, &ex->settled, HD_SETTLED_MOST);
    hd_pack_want(p,
                 ex->settled != HD_NOT_SETTLED && (ex->settled != HD_SETTLED_WAITS || ex->split));
    if (!p->bad)
        hd_split_pack(ex, p);
    if (ex->search->pack_part) {
        hd_pack_part(p, HD_UNIT_GRAPH);
        ex->search->pack_part(ex, p);
    } else {
        pack_path(p, ex);
    }
    pack_filters(p, ex);
}

/* The state of one worker that does not depend on its part. */
static void pack_rest(struct hd_pack *p, struct hd_explorer *ex)
{
    pack_explorer(p, ex);
    hd_pack_part(p, HD_UNIT_SEARCH);
    hd_pack_part(p, ex->opt->search);
    if (ex->search->pack && !p->bad)
        ex->search->pack(ex, p);
    hd_pack_part(p, HD_UNIT_CHECKS);
    for (uint32_t i = 0; i < HD_N_CHECKS && !p->bad; i++)
        if (ex->checks.self[i] && hd_checks[i]->pack)
            hd_checks[i]->pack(ex->checks.self[i], ex, p);
    hd_pack_part(p, HD_UNIT_END);
}

static void put_word(uint8_t *at, uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static uint64_t get_word(const uint8_t *at)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < 8; i++)
        word |= (uint64_t)at[i] << 8 * i;
    return word;
}

static uint64_t write_unit(struct hd_explorer *ex, void *bytes, uint64_t room, bool part)
{
    uint8_t *head = bytes;
    if (room <= HEAD_BYTES)
        return 0;
    struct hd_pack p = hd_pack_writer(head + HEAD_BYTES, room - HEAD_BYTES);
    p.part = part;
    hd_pack_part(&p, part ? HD_UNIT_PART : HD_UNIT_WHOLE);
    pack_part(&p, ex);
    if (!part)
        pack_rest(&p, ex);
    if (p.bad)
        return 0;
    uint64_t n = (uint64_t)(p.at - head) - HEAD_BYTES;
    put_word(head, HD_UNIT_MAGIC);
    put_word(head + 8, HD_UNIT_VERSION);
    put_word(head + 16, n);
    put_word(head + 24, hd_hash_bytes(n, head + HEAD_BYTES, n));
    return n + HEAD_BYTES;
}

uint64_t hd_unit_write(struct hd_explorer *ex, void *bytes, uint64_t room)
{
    return write_unit(ex, bytes, room, false);
}

uint64_t hd_unit_write_part(struct hd_explorer *ex, uint32_t depth, void *bytes, uint64_t room)
{
    struct hd_node *node = &ex->path.nodes[depth];
    uint32_t n_nodes = ex->path.n_nodes, settled = ex->settled;
    bool by_path = !ex->search->pack_part;
    ex->path.n_nodes = by_path ? depth + 1 : n_nodes;
    ex->settled = HD_SETTLED_NEXT;
    node->taken += by_path;
    uint64_t n = write_unit(ex, bytes, room, true);
    node->taken -= by_path;
    ex->settled = settled;
    ex->path.n_nodes = n_nodes;
    return n;
}

uint64_t hd_unit_write_rest(struct hd_explorer *ex, void *bytes, uint64_t room)
{
    return write_unit(ex, bytes, room, true);
}

/* Open the contents of a unit whose head is right. */
static const char *open_unit(struct hd_pack *p, void *bytes, uint64_t n)
{
    uint8_t *head = bytes;
    if (n < HEAD_BYTES || get_word(head) != HD_UNIT_MAGIC)
        return "it is no work unit";
    if (get_word(head + 8) != HD_UNIT_VERSION)
        return "it is a work unit of another version of heddle";
    uint64_t length = get_word(head + 16);
    if (length != n - HEAD_BYTES ||
        get_word(head + 24) != hd_hash_bytes(length, head + HEAD_BYTES, length))
        return "the work unit is damaged";
    *p = hd_pack_reader(head + HEAD_BYTES, length);
    return NULL;
}

const char *hd_unit_read(struct hd_explorer *ex, void *bytes, uint64_t n)
{
    struct hd_pack p;
    const char *wrong = open_unit(&p, bytes, n);
    if (wrong)
        return wrong;
    hd_pack_part(&p, HD_UNIT_WHOLE);
    pack_part(&p, ex);
    pack_rest(&p, ex);
    if (p.bad || p.at != p.end)
        return HD_UNIT_MISFIT;
    ex->foreign = true;
    ex->marks.target = ex->path.n_nodes;
    ex->marks.counted = ex->marks.target ? ex->marks.target - 1 : 0;
    ex->cnt->begun = ex->executions_begun;
    if (ex->split && ex->split->tree->bound < ex->bound) /* there was one worker */
        ex->split->tree->bound = ex->bound;
    ex->cnt->bound_now = ex->bound;
    return NULL;
}

const char *hd_unit_read_part(struct hd_explorer *ex, void *bytes, uint64_t n)
{
    struct hd_pack p;
    const char *wrong = open_unit(&p, bytes, n);
    uint32_t kind = 0;
    if (wrong)
        return wrong;
    hd_pack_u32(&p, &kind, HD_UNIT_PART);
    hd_pack_want(&p, kind == HD_UNIT_WHOLE || kind == HD_UNIT_PART);
    p.part = true;
    pack_part(&p, ex);
    ex->settled = HD_NOT_SETTLED;
    if (p.bad || (kind == HD_UNIT_PART && p.at != p.end))
        return HD_UNIT_MISFIT;
    ex->foreign = true;
    ex->marks.target = ex->path.n_nodes;
    return NULL;
}
