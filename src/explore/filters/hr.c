/* hr, hr-fields: what the hybrid reduction was compared with (Parízek 2016, section IV).
 *
 * hr        a thread goes on alone while what it touches next cannot be reached by others
 *           (heap reachability: Dwyer, Hatcliff, Robby, Ranganath, FMSD 2004; JPF's own);
 * hr-fields the same, or if it can be reached, no other thread has an access before
 *           it that may touch the same, by the static pointer analysis (Parízek and Lhoták,
 *           ASE 2011).
 *
 * Both claim nothing: they do not see pointers in disguise, and hr-fields does not see accesses
 * of others at unknown places.
 *
 * Deviations: accesses that heddle's analysis shows to be one thread's own are no actions at
 * all; a long run of one thread ends with a choice, and any thread may go on alone
 * (persistent_set.h). */
#include "explore/states/persistent_set.h"

static bool interferes(struct hd_persistent_set *s, const struct hd_explorer *ex, uint32_t thread,
                       const struct hd_tset *stuck)
{
    struct hd_action a = hd_explorer_outcome(ex, thread);
    const struct hd_foresight *f = &ex->shared->foresight;
    (void)s;
    (void)stuck;
    if (!hd_lookahead_reached(ex, thread, &a))
        return false;
    uint32_t bit = a.site < f->n_sites ? f->bit[a.site] : 0;
    if (!(ex->opt->filters & HD_FILTER_HR_FIELDS) || !bit || !f->conflicts)
        return true;
    struct hd_tset alone = { { 0 } };
    hd_tset_add(&alone, thread);
    return hd_lookahead_meets(ex, &alone, f->conflicts + bit - 1);
}

static void *create(struct hd_explorer *ex)
{
    struct hd_persistent_set *s = hd_persistent_set_create(ex, sizeof *s);
    if (s)
        s->interferes = interferes;
    return s;
}

const struct hd_filter hd_filter_hr = HD_PERSISTENT_SET_FILTER(HR, create);
const struct hd_filter hd_filter_hr_fields = HD_PERSISTENT_SET_FILTER(HR_FIELDS, create);
