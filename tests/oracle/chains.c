#include "chains.h"

#include "core/filters.h"
#include "frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t parsed(const char *reduce)
{
    uint32_t filters = 0;
    char text[64], *rest = text, *name;
    snprintf(text, sizeof text, "%s", reduce);
    while ((name = strsep(&rest, ",")) != NULL)
        for (uint32_t i = 0; i < HD_N_FILTERS; i++)
            if (strcmp(name, hd_filter_table[i].text) == 0)
                filters |= 1u << i;
    return hd_filters_needed(filters);
}

/* A depth that no program reaches has its number; the other bounds get theirs with each program. */
static const char *named(uint32_t filters)
{
    char text[200] = "";
    uint32_t last = HD_FILTER_PREEMPTIONS | HD_FILTER_DELAYS;
    for (int bounds = 0; bounds < 2; bounds++)
        for (uint32_t i = 0; i < HD_N_FILTERS; i++) {
            size_t used = strlen(text);
            if (filters >> i & 1 && (last >> i & 1) == (uint32_t)bounds)
                snprintf(text + used, sizeof text - used, "%s%s%s", used ? "," : "",
                         hd_filter_table[i].text, i == HD_FILTER_INDEX_DEPTH ? ":10000" : "");
        }
    char *copy = orc_take(1, strlen(text) + 1);
    return strcpy(copy, text);
}

static struct orc_chain expected(uint32_t filters)
{
    uint32_t knowing = HD_FILTER_TRACES | HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS |
                       HD_FILTER_DPOR | HD_FILTER_NOT_SEEN | HD_FILTER_STATES;
    uint32_t unreduced = HD_FILTER_TRACES | HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS |
                         HD_FILTER_DELAYS | HD_FILTER_LOCAL_CYCLE | HD_FILTER_EAGER;
    struct orc_chain c = { .reduce = named(filters),
                           .count = ORC_COUNT_PASSES,
                           .unreduced = !(filters & ~unreduced) };
    if (filters & HD_FILTER_DELAYS || (filters & HD_FILTER_PREEMPTIONS && filters & ~knowing))
        c.count = ORC_COUNT_BOUNDED;
    else if (filters & HD_FILTER_PREEMPTIONS)
        c.count = ORC_COUNT_WITHIN;
    c.fewer = filters & HD_FILTER_PREEMPTIONS && filters & HD_FILTER_STATES;
    if (filters & HD_FILTER_SUPER_STEP)
        c.races = filters & HD_FILTER_STATES ? ORC_RACES_SOME : ORC_RACES_UNLESS_BROKEN;
    return c;
}

struct rest {
    const struct orc_chain *listed;
    size_t n_listed, n;
    struct orc_chain *chains;
};

static bool is_listed(const struct rest *r, uint32_t filters)
{
    for (size_t i = 0; i < r->n_listed; i++)
        if (parsed(r->listed[i].reduce) == filters)
            return true;
    return false;
}

static void append(struct rest *r, struct orc_chain chain)
{
    struct orc_chain *more = orc_take(r->n + 1, sizeof *more);
    if (r->n)
        memcpy(more, r->chains, r->n * sizeof *more);
    free(r->chains);
    r->chains = more;
    r->chains[r->n++] = chain;
}

/* Filters that claim nothing, and have no line of their own.  (`like-scale` is none of them: it
 * changes what a signal does, so that it finds what is not there.) */
#define INCOMPLETE                                                                               \
    (HD_FILTER_SHARED | HD_FILTER_SYNC_ONLY | HD_FILTER_NOT_SEEN_HASH |                          \
     HD_FILTER_SUPER_STEP_THESIS)
/* One search has one of these. */
#define BY_RACES                                                                                 \
    (HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL | HD_FILTER_OBSERVERS |               \
     HD_FILTER_DPOR_PLAIN | HD_FILTER_DPOR_STATES)

static void incomplete(struct rest *r, uint32_t filters)
{
    append(r, (struct orc_chain){ .reduce = named(filters),
                                  .count = ORC_COUNT_INCOMPLETE,
                                  .unreduced = true,
                                  .unsound = !hd_chain_allowed(filters) });
}

/* The chains of the tables that have one of INCOMPLETE. */
static void grow_incomplete(struct rest *r, uint32_t filters, uint32_t from)
{
    if (filters & INCOMPLETE && hd_filters_needed(filters) == filters)
        incomplete(r, filters);
    for (uint32_t i = from; i < HD_N_FILTERS; i++)
        if ((hd_filter_table[i].claim != HD_CLAIM_NOTHING || INCOMPLETE >> i & 1) &&
            hd_chain_allowed(filters | 1u << i))
            grow_incomplete(r, filters | 1u << i, i + 1);
}

/* Pairs that are refused. */
static void refused_pairs(struct rest *r)
{
    for (uint32_t i = 0; i < HD_N_FILTERS; i++)
        for (uint32_t j = i + 1; j < HD_N_FILTERS; j++) {
            uint32_t pair = 1u << i | 1u << j, bounds = HD_FILTER_PREEMPTIONS | HD_FILTER_DELAYS;
            uint32_t races = pair & BY_RACES;
            if (pair & (HD_FILTER_LIKE_SCALE | HD_FILTER_DICE | HD_FILTER_OBSERVERS) ||
                (races & (races - 1)) || (pair & bounds) == bounds ||
                hd_filters_needed(pair) != pair || hd_chain_allowed(pair))
                continue;
            incomplete(r, pair);
        }
}

/* Part of a combination is one, so that all of them grow from nothing. */
static void grow(struct rest *r, uint32_t filters, uint32_t from)
{
    if (hd_filters_needed(filters) == filters && !is_listed(r, filters))
        append(r, expected(filters));
    for (uint32_t i = from; i < HD_N_FILTERS; i++)
        if (hd_filter_table[i].claim != HD_CLAIM_NOTHING && hd_chain_allowed(filters | 1u << i))
            grow(r, filters | 1u << i, i + 1);
}

struct orc_chain *orc_chains_rest(const struct orc_chain *listed, size_t n, size_t *n_rest)
{
    struct rest r = { .listed = listed, .n_listed = n };
    grow(&r, 0, 0);
    grow_incomplete(&r, 0, 0);
    refused_pairs(&r);
    *n_rest = r.n;
    return r.chains;
}
