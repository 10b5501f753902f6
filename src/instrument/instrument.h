/* Whole program in, instrumented program out.  The hooks that the result calls are described in
 * core/abi.h, the tables it carries in core/site.h. */
#ifndef HD_INSTRUMENT_INSTRUMENT_H
#define HD_INSTRUMENT_INSTRUMENT_H

#include "base/err.h"
#include "instrument/stats.h"

#include <stdbool.h>
#include <stdint.h>

struct LLVMOpaqueModule;

struct hd_instrument_options {
    uint64_t salt;     /* mixed into the build id */
    bool optimise;     /* run default<O2> afterwards */
    bool all_accesses; /* hook what the analysis of the whole program would leave out, too */
    bool no_points_to; /* do not solve points-to constraints: everything may be shared */
    bool no_budget;    /* solve them however long it takes, and optimise large programs, too */
};

/* Rewrites the module in place: names accesses, promotes locals, keeps a copy of the module,
 * hooks, renames main, adds the sections, verifies, optimises.  The module must define main.
 * `stats` may be NULL. */
int hd_instrument(struct LLVMOpaqueModule *module, const struct hd_instrument_options *options,
                  struct hd_instrument_stats *stats, struct hd_err *err);

/* hd_instrument() with everything on: the `rewrite` of a compile request. */
int hd_instrument_program(struct LLVMOpaqueModule *module, uint64_t salt, const char *analysis,
                          struct hd_err *err);

#endif
