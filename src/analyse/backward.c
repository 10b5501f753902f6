#include "analyse/backward.h"

#include <stdlib.h>

void hd_backward_init(struct hd_backward *b, const struct hd_facts *facts)
{
    *b = (struct hd_backward){ .facts = facts, .walk = 1 };
    b->seen_end = hd_alloc((facts->code.n_blocks + 1) * sizeof *b->seen_end);
    b->seen_point = hd_alloc((facts->code.n_insts + 1) * sizeof *b->seen_point);
}

void hd_backward_release(struct hd_backward *b)
{
    free(b->seen_end);
    free(b->seen_point);
    free(b->work);
}

void hd_backward_restart(struct hd_backward *b, uint32_t entry)
{
    b->walk++;
    b->entry = entry;
}

static void push(struct hd_backward *b, uint32_t block, uint32_t end)
{
    bool whole = end == b->facts->code.blocks[block].end;
    uint32_t *seen = whole ? &b->seen_end[block] : &b->seen_point[end];
    if (*seen == b->walk || !b->facts->cfg.reached[block])
        return;
    *seen = b->walk;
    if (b->n_work == b->work_room) {
        b->work_room = b->work_room ? b->work_room * 2 : 256;
        b->work = hd_realloc(b->work, b->work_room * sizeof *b->work);
    }
    b->work[b->n_work++] = (struct hd_backward_part){ block, end };
}

static void push_before(struct hd_backward *b, uint32_t point)
{
    push(b, b->facts->code.block_of[point], point);
}

static void push_block(struct hd_backward *b, uint32_t block)
{
    push(b, block, b->facts->code.blocks[block].end);
}

static void push_returns(struct hd_backward *b, uint32_t function)
{
    const struct hd_code *code = &b->facts->code;
    const struct hd_cfg *cfg = &b->facts->cfg;
    for (uint32_t k = code->functions[function].first_block;
         k < code->functions[function].end_block; k++)
        if (cfg->succ_first[k] == cfg->succ_first[k + 1] && cfg->cut[k] == HD_NO_POINT)
            push_block(b, k);
}

static void push_callers(struct hd_backward *b, uint32_t function)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_callers(&b->facts->points_to, function, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind != HD_EDGE_SPAWN &&
            hd_threads_runs(&b->facts->threads, b->entry,
                            hd_code_function_of(&b->facts->code, edges[i].point)))
            push_before(b, edges[i].point);
}

enum { NO_CALL, PASSES, ENTERS };

/* What comes before the point after a call: the ends of what it calls.  ENTERS when that is
 * all, PASSES when the call may also skip them. */
static int enter_callees(struct hd_backward *b, uint32_t point)
{
    uint32_t n, entered = 0;
    if (!hd_code_is_call(b->facts->code.insts[point]))
        return NO_CALL;
    bool passes = b->facts->points_to.calls_unknown[point];
    const struct hd_edge *edges = hd_points_to_edges(&b->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        bool ours = hd_code_is_defined(&b->facts->code, edges[i].function) &&
                    (edges[i].kind == HD_EDGE_CALL || edges[i].kind == HD_EDGE_CALLBACK);
        passes |= !ours && edges[i].kind == HD_EDGE_CALL;
        if (!ours)
            continue;
        push_returns(b, edges[i].function);
        entered++;
    }
    return entered == 0 ? NO_CALL : passes ? PASSES : ENTERS;
}

void hd_backward_from(struct hd_backward *b, uint32_t point, hd_backward_fn visit, void *context)
{
    const struct hd_code *code = &b->facts->code;
    const struct hd_cfg *cfg = &b->facts->cfg;
    push_before(b, point);
    while (b->n_work) {
        struct hd_backward_part part = b->work[--b->n_work];
        const struct hd_code_block *block = &code->blocks[part.block];
        uint32_t first = part.end;
        int call = NO_CALL;
        while (first > block->first && call == NO_CALL)
            call = enter_callees(b, --first);
        if (first < part.end && !visit(context, first, part.end))
            continue;
        if (call == PASSES)
            push_before(b, first);
        if (call != NO_CALL)
            continue;
        if (part.block == code->functions[block->function].first_block)
            push_callers(b, block->function);
        for (uint32_t e = cfg->pred_first[part.block]; e < cfg->pred_first[part.block + 1]; e++)
            push_block(b, cfg->pred[e]);
    }
}
