/* The table of which reads a written value, an address or the condition of an assertion comes
 * from (core/site.h, analyse/flow.h). */
#ifndef HD_INSTRUMENT_FLOWS_H
#define HD_INSTRUMENT_FLOWS_H

#include "instrument/pass.h"

struct hd_facts;

/* Rows by point: the point and what is asked of it, how many sources, and these. */
struct hd_flows {
    uint32_t *words;
    size_t n, room;
};

/* Before any function is rewritten. */
void hd_flows_find(struct hd_flows *flows, const struct hd_facts *facts);

/* Emits the table, when all sites are there; `n_points`: of the module before. */
void hd_flows_tell(struct hd_flows *flows, struct hd_pass *p, uint32_t n_points);
void hd_flows_release(struct hd_flows *flows);

#endif
