/* Accesses outside of the variable that they are made through (docs/design/014-shadow.md).
 *
 * Where the function shows the variable (`a[i]`), the access is compared with its extent.
 * Where it does not (`p[i]`), the runtime looks the address up: behind variables there are
 * zones that belong to nobody, and the memory of a local whose scope is over belongs to nobody
 * too. */
#ifndef HD_INSTRUMENT_BOUNDS_H
#define HD_INSTRUMENT_BOUNDS_H

#include "analyse/facts.h"
#include "instrument/pass.h"

struct hd_local {
    LLVMValueRef slot;
    bool escapes; /* its address goes anywhere; otherwise it is only lent to functions */
    bool shared;  /* other threads may use it, so that its end is a step */
};

struct hd_bounds {
    struct hd_pass *p;
    const struct hd_facts *facts;
    struct hd_points_to *points_to;
    LLVMValueRef check;      /* made on first use */
    struct hd_local *locals; /* of the current function */
    unsigned n_locals;
};

/* Between planning and rewriting of a function: the checks of its accesses, */
void hd_bounds_function(struct hd_bounds *b, struct hd_plan *plan);
/* and which of its locals get zones.  Behind the rewriting: the zones. */
void hd_zones_find(struct hd_bounds *b, struct hd_plan *plan);
void hd_zones_function(struct hd_bounds *b);

/* Behind everything else: the zones behind variables of the program, and the list of them. */
void hd_zones_globals(struct hd_pass *p);

#endif
