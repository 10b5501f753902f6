/* Places that a search is to go to, from the command line or a trace. */
#ifndef HD_STRATEGY_TARGETS_H
#define HD_STRATEGY_TARGETS_H

#include "analyse/query.h"
#include "base/str.h"
#include "core/route.h"
#include "core/worker_memory.h"
#include "supervise/program.h"

#include <stdbool.h>

/* Makes *route (the caller's to free) for targets and places on the way, by name.  Without
 * targets and with `assertions`, what fails is where to go.  *route is NULL when there is
 * nothing to make. */
int hd_targets_route(struct hd_program *program, const struct hd_strs *targets,
                     const struct hd_strs *via, bool assertions, struct hd_route **route,
                     struct hd_err *err);

/* The program's sites, as the analysis needs them. */
struct hd_query_sites hd_targets_sites(const struct hd_program *program);
void hd_targets_sites_release(struct hd_query_sites *sites);

/* What may follow every place of a program, computed when it is first needed. */
struct hd_foreseen {
    struct hd_foresight *foresight; /* NULL: not available, or not computed yet */
    bool asked;
};

/* *foresight is that of `kept`, NULL if the reductions chosen need none. */
int hd_targets_foresight(struct hd_foreseen *kept, struct hd_program *program,
                         const struct hd_options *options, const struct hd_foresight **foresight,
                         struct hd_err *err);
void hd_foreseen_release(struct hd_foreseen *kept);

/* "a.c:3,f" is two places. */
void hd_targets_split(struct hd_strs *places, const char *text);

#endif
