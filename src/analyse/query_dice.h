/* The abstraction of slice-n-dice: for every kind of thread the places of its slices (L_s),
 * and how they grow from what was not reached (Noonan's thesis, Algorithm 3).
 *
 * A kind of thread is what it begins with.  Sites with a visible action are its places: what
 * else a slice holds cannot be seen by other threads. */
#ifndef HD_ANALYSE_QUERY_DICE_H
#define HD_ANALYSE_QUERY_DICE_H

#include "analyse/query.h"

struct hd_abstraction;

/* The slices of the targets ("file:line" or a function; none: where assertions fail and
 * heddle_target() stands), each in every kind of thread that may get there.  `sites` is
 * borrowed. */
int hd_abstraction_create(struct hd_abstraction **abstraction, struct hd_query *query,
                          const struct hd_query_sites *sites, const struct hd_strs *targets,
                          struct hd_err *err);
void hd_abstraction_destroy(struct hd_abstraction *abstraction); /* NULL is fine */

uint32_t hd_abstraction_kinds(const struct hd_abstraction *abstraction);
const char *hd_abstraction_kind_name(const struct hd_abstraction *abstraction, uint32_t kind);

/* The kind of a thread whose outermost call, or first action, is at that site; UINT32_MAX: not
 * known. */
uint32_t hd_abstraction_kind(const struct hd_abstraction *abstraction, uint32_t site);

/* The kind of a thread that was created at that site; UINT32_MAX: not known. */
uint32_t hd_abstraction_kind_created(const struct hd_abstraction *abstraction, uint32_t site);

/* May a thread of that kind get to the target?  (The number of one of `targets`; 0 when there
 * are none.) */
bool hd_abstraction_gets_to(const struct hd_abstraction *abstraction, uint32_t kind,
                            uint32_t target);

/* Sets slices[site] to the kinds, a bit each, to whose slice the site belongs.  Returns how
 * many pairs of a site and a kind there are. */
uint32_t hd_abstraction_places(const struct hd_abstraction *abstraction, uint64_t *slices);

/* A read that is compared with a number, before a place that was not reached. */
struct hd_compared {
    uint32_t site;
    bool (*holds)(int64_t value, int64_t number);
    int64_t number;
};

#define HD_MAX_COMPARED 32

/* The result of one refinement. */
struct hd_refined {
    struct hd_compared compared[HD_MAX_COMPARED];
    uint32_t n_compared;
    bool grew;
    uint32_t weight[64]; /* by kind: writes that the unreached places wait for */
    uint64_t *wanted;    /* by site, a bit per kind: reads that decide if they are reached */
};

/* Add what may help to reach the unreached places of the kinds in `active`: the slices of other
 * threads' writes that are seen by the reads which decide whether the places are reached.
 * `reached`: like slices.  `wide`: for all reads of the slices, not only those. refined->wanted
 * is the caller's, as large as there are sites, and is filled in. */
void hd_abstraction_refine(struct hd_abstraction *abstraction, const uint64_t *reached,
                           uint64_t active, bool wide, struct hd_refined *refined);

#endif
