#include "strategy/targets.h"

#include "analyse/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hd_query_sites hd_targets_sites(const struct hd_program *program)
{
    uint32_t n = hd_program_info(program)->n_sites;
    uint32_t *points = hd_alloc((n + 1) * sizeof *points);
    bool *accesses = hd_alloc((n + 1) * sizeof *accesses);
    for (uint32_t i = 0; i < n; i++) {
        points[i] = hd_program_point(program, i);
        accesses[i] = hd_program_site(program, i).access;
    }
    return (struct hd_query_sites){ points, accesses, n };
}

void hd_targets_sites_release(struct hd_query_sites *sites)
{
    free((void *)(uintptr_t)sites->points);
    free((void *)(uintptr_t)sites->accesses);
    *sites = (struct hd_query_sites){ 0 };
}

void hd_targets_split(struct hd_strs *places, const char *text)
{
    char *copy = hd_strdup(text), *rest = copy, *place;
    while ((place = strsep(&rest, ",")) != NULL)
        hd_strs_add(places, place);
    free(copy);
}

static int add_place(struct hd_route *route, uint32_t at, struct hd_query *query,
                     const struct hd_query_sites *sites, const char *place, struct hd_err *err)
{
    if (strlen(place) >= sizeof route->names[at])
        return hd_err_set(err, "%.60s…: the name of a place is too long", place);
    snprintf(route->names[at], sizeof route->names[at], "%s", place);
    if (hd_query_mark(query, place, sites, 1u << at, route->marks, err) != 0)
        return -1;
    hd_query_ways(query, sites, route->marks, 1u << at, route->ways[at]);
    return 0;
}

static int fill(struct hd_route *route, struct hd_query *query,
                const struct hd_query_sites *sites, const struct hd_strs *targets,
                const struct hd_strs *via, bool assertions, struct hd_err *err)
{
    uint32_t at = 0;
    route->n_sites = sites->n;
    route->atomic = hd_query_calls(query, "heddle_atomic_begin") ||
                    hd_query_calls(query, "__VERIFIER_atomic_begin");
    for (size_t i = 0; i < targets->n; i++)
        if (add_place(route, at++, query, sites, targets->items[i], err) != 0)
            return -1;
    route->n_targets = at;
    if (at == 0) {
        route->assertions = 1;
        snprintf(route->names[at], sizeof route->names[at], "what fails");
        if (!hd_query_ways(query, sites, route->marks, 0, route->ways[at++]) && assertions)
            return hd_err_set(err,
                              "the program has no assertion and no heddle_target() to go to: "
                              "say where with --target FILE:LINE");
    }
    for (size_t i = 0; i < via->n; i++)
        if (add_place(route, at++, query, sites, via->items[i], err) != 0)
            return -1;
    route->n_via = (uint32_t)via->n;
    return 0;
}

static int foresee(struct hd_foreseen *kept, struct hd_program *program, struct hd_err *err)
{
    struct hd_query *query;
    size_t bytes;
    const void *module = hd_program_module(program, &bytes);
    if (hd_query_open(&query, module, bytes, hd_program_name(program), err) != 0)
        return -1;
    struct hd_query_sites sites = hd_targets_sites(program);
    kept->foresight = hd_alloc(sizeof *kept->foresight);
    if (!hd_query_foresight(query, &sites, kept->foresight)) {
        free(kept->foresight);
        kept->foresight = NULL;
    }
    kept->asked = true;
    hd_targets_sites_release(&sites);
    hd_query_close(query);
    return 0;
}

void hd_foreseen_release(struct hd_foreseen *kept)
{
    free(kept->foresight);
    *kept = (struct hd_foreseen){ 0 };
}

int hd_targets_foresight(struct hd_foreseen *kept, struct hd_program *program,
                         const struct hd_options *options, const struct hd_foresight **foresight,
                         struct hd_err *err)
{
    *foresight = NULL;
    uint32_t ask = HD_FILTER_HYBRID | HD_FILTER_HYBRID_HR | HD_FILTER_HR_FIELDS;
    if (!(options->filters & ask || options->plugin.used) ||
        hd_program_info(program)->n_sites > HD_MAX_GUIDED)
        return 0;
    if (!kept->asked && foresee(kept, program, err) != 0)
        return -1;
    *foresight = kept->foresight;
    return 0;
}

int hd_targets_route(struct hd_program *program, const struct hd_strs *targets,
                     const struct hd_strs *via, bool assertions, struct hd_route **route,
                     struct hd_err *err)
{
    struct hd_query *query;
    size_t bytes;
    *route = NULL;
    if (targets->n == 0 && via->n == 0 && !assertions)
        return 0;
    uint32_t n = hd_program_info(program)->n_sites;
    if (n > HD_MAX_GUIDED)
        return hd_err_set(err,
                          "the program has %u instrumented places; a search that is guided to "
                          "one can have %u",
                          n, HD_MAX_GUIDED);
    if (targets->n + via->n + 1 > HD_MAX_PLACES)
        return hd_err_set(err, "%zu places are too many: at most %d in all", targets->n + via->n,
                          HD_MAX_PLACES - 1);
    const void *module = hd_program_module(program, &bytes);
    if (hd_query_open(&query, module, bytes, hd_program_name(program), err) != 0)
        return -1;
    struct hd_query_sites sites = hd_targets_sites(program);
    *route = hd_alloc(sizeof **route);
    int failed = fill(*route, query, &sites, targets, via, assertions, err);
    if (failed) {
        free(*route);
        *route = NULL;
    }
    hd_targets_sites_release(&sites);
    hd_query_close(query);
    return failed;
}
