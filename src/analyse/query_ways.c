#include "analyse/distance.h"
#include "analyse/query_internal.h"
#include "analyse/slice.h"
#include "core/route.h"

#include <stdlib.h>
#include <string.h>

static bool has(const struct hd_points *points, uint32_t point)
{
    for (uint32_t i = 0; i < points->n; i++)
        if (points->items[i] == point)
            return true;
    return false;
}

bool hd_query_is_seen(const struct hd_query *q, const struct hd_query_sites *sites, uint32_t site)
{
    uint32_t point = sites->points[site];
    if (point >= q->facts.code.n_insts)
        return false;
    uint8_t sync = q->facts.accesses.sync[point];
    return sites->accesses[site] || (sync != HD_SYNC_NONE && sync != HD_SYNC_QUIET);
}

static int nothing_visible(struct hd_query *q, const char *place, const struct hd_points *at,
                           const struct hd_query_sites *sites, struct hd_err *err)
{
    struct hd_line wanted = hd_query_line(q, at->items[0]), best = { "", 0 };
    uint32_t distance = UINT32_MAX;
    for (uint32_t i = 1; i < sites->n; i++) {
        if (!hd_query_is_seen(q, sites, i))
            continue;
        struct hd_line line = hd_query_line(q, sites->points[i]);
        uint32_t away = line.line > wanted.line ? line.line - wanted.line
                                                : wanted.line - line.line;
        if (line.line && strcmp(line.file, wanted.file) == 0 && away < distance) {
            best = line;
            distance = away;
        }
    }
    if (best.line == 0)
        return hd_err_set(err, "%s does nothing that another thread could see", place);
    return hd_err_set(err,
                      "%s does nothing that another thread could see: the nearest line that does "
                      "is %s:%u (or put heddle_target() there)",
                      place, best.file, best.line);
}

int hd_query_mark(struct hd_query *q, const char *place, const struct hd_query_sites *sites,
                  uint32_t bit, uint32_t *marks, struct hd_err *err)
{
    struct hd_points at = { 0 };
    const struct hd_code *code = &q->facts.code;
    uint32_t found = 0;
    if (hd_query_target(q, place, &at, err) != 0) {
        free(at.items);
        return -1;
    }
    bool line = strchr(place, ':') != NULL;
    uint32_t function = hd_code_function_of(code, at.items[0]);
    for (uint32_t i = 1; i < sites->n; i++) {
        uint32_t point = sites->points[i];
        if (point >= code->n_insts)
            continue;
        bool there = line ? has(&at, point) && hd_query_is_seen(q, sites, i)
                          : hd_code_function_of(code, point) == function;
        if (!there)
            continue;
        found += hd_query_is_seen(q, sites, i) || hd_code_is_call(code->insts[point]);
        marks[i] |= bit;
    }
    int failed = found == 0 ? nothing_visible(q, place, &at, sites, err) : 0;
    free(at.items);
    return failed;
}

/* The point that is executed when the call at `point` has returned. */
static uint32_t behind(const struct hd_code *code, uint32_t point)
{
    LLVMValueRef inst = code->insts[point];
    if (LLVMIsAInvokeInst(inst))
        return code->blocks[hd_code_block(code, LLVMGetNormalDest(inst))].first;
    return point + 1 < code->blocks[code->block_of[point]].end ? point + 1 : point;
}

/* From where the threads begin that the point may start. */
static uint32_t spawned(const struct hd_query *q, const struct hd_distance *d, uint32_t point)
{
    uint32_t n, best = HD_ROUTE_FAR;
    const struct hd_edge *edges = hd_points_to_edges(&q->facts.points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (edges[i].kind != HD_EDGE_SPAWN ||
            !hd_code_is_defined(&q->facts.code, edges[i].function))
            continue;
        uint32_t way = d->within[q->facts.code.functions[edges[i].function].first].actions;
        best = way < best ? way : best;
    }
    return best;
}

bool hd_query_ways(struct hd_query *q, const struct hd_query_sites *sites, const uint32_t *marks,
                   uint32_t bit, struct hd_way *ways)
{
    const struct hd_code *code = &q->facts.code;
    struct hd_distance d;
    uint32_t *targets = hd_alloc((code->n_insts + sites->n + 1) * sizeof *targets), n = 0;
    for (uint32_t i = 0; bit == 0 && i < code->n_insts; i++)
        if (hd_code_is_failure(code->insts[i]))
            targets[n++] = i;
    for (uint32_t i = 1; bit && i < sites->n; i++)
        if (marks[i] & bit && sites->points[i] < code->n_insts)
            targets[n++] = sites->points[i];
    hd_distance_init(&d, &q->facts, targets, n);
    for (uint32_t i = 0; i < sites->n; i++) {
        uint32_t point = sites->points[i];
        ways[i] = (struct hd_way){ HD_ROUTE_FAR, HD_ROUTE_FAR, HD_ROUTE_FAR, HD_ROUTE_FAR,
                                   HD_ROUTE_FAR };
        if (point >= code->n_insts)
            continue;
        uint32_t next = behind(code, point);
        ways[i] = (struct hd_way){ d.within[point].actions, d.leave[point].actions,
                                   d.within[next].actions, d.leave[next].actions,
                                   spawned(q, &d, point) };
    }
    hd_distance_release(&d);
    free(targets);
    return n > 0;
}

bool hd_query_calls(struct hd_query *q, const char *function)
{
    LLVMValueRef value = LLVMGetNamedFunction(q->module, function);
    return value && LLVMGetFirstUse(value);
}
