/* The obligations that must be discharged before a program is called verified; obligations.def
 * is the table. */
#ifndef HD_REPORT_OBLIGATIONS_H
#define HD_REPORT_OBLIGATIONS_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Everything that the verdict depends on. */
struct hd_evidence {
    const struct hd_result *result;
    const struct hd_options *options; /* of the search whose counters the result has */
    const struct hd_route *route;     /* NULL: nowhere to go */
    double seconds;                   /* time bound that was given */
    const struct hd_program *program;
    const struct hd_filter_row *filters; /* core/filters.def */
    uint32_t n_filters;
};

/* Returns true if a counter or a fact shows it.  Otherwise it adds the reason, in plain
 * words. */
typedef bool hd_oblige(const struct hd_evidence *evidence, struct hd_strs *why);

struct hd_obligation {
    const char *name, *claim, *missed, *remedy;
    hd_oblige *shown; /* NULL: it is never shown */
};

extern const struct hd_obligation hd_obligations[];
extern const uint32_t hd_n_obligations;

#define HD_OBLIGATION(check, name, claim, missed, remedy) hd_oblige hd_oblige_##check;
#include "report/obligations.def"
#undef HD_OBLIGATION

/* Asks each of the obligations, and adds a reason to `why` for each that is not shown; one
 * without a function and without a reason is named by its claim.  Returns true if all are
 * shown. */
bool hd_obligations_shown(const struct hd_obligation *obligations, uint32_t n,
                          const struct hd_evidence *evidence, struct hd_strs *why,
                          struct hd_strs *names);

#endif
