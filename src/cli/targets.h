/* Places that a search is to go to, from the command line or a trace. */
#ifndef HD_CLI_TARGETS_H
#define HD_CLI_TARGETS_H

#include "analyse/query.h"
#include "base/str.h"
#include "cli/input.h"
#include "core/route.h"
#include "core/worker_memory.h"
#include "supervise/program.h"

/* Makes *route (the caller's to free) for targets and places on the way, by name.  Without
 * targets and with `assertions`, what fails is where to go.  *route is NULL when there is
 * nothing to make. */
int hd_targets_route(struct hd_program *program, const struct hd_strs *targets,
                     const struct hd_strs *via, bool assertions, struct hd_route **route,
                     struct hd_err *err);

/* What the analysis wants to know of the program's sites. */
struct hd_query_sites hd_targets_sites(const struct hd_program *program);
void hd_targets_sites_release(struct hd_query_sites *sites);

/* *foresight is the input's, NULL if the reductions chosen need none. */
int hd_targets_foresight(struct hd_input *input, const struct hd_options *options,
                         const struct hd_foresight **foresight, struct hd_err *err);

/* "a.c:3,f" is two places. */
void hd_targets_split(struct hd_strs *places, const char *text);

#endif
