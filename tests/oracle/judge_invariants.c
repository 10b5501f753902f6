#include "judge.h"

#include "json.h"

#include <string.h>

static bool agrees(FILE *why, const char *what, bool expected, bool got)
{
    if (expected != got)
        fprintf(why, "    %s: expected %s, heddle says %s\n", what, expected ? "yes" : "no",
                got ? "yes" : "no");
    return expected == got;
}

/* Is the invariant of that number among the violations?  It is named i<program>_<number>. */
static bool told(const char *root, uint32_t program, uint32_t number)
{
    char name[32];
    snprintf(name, sizeof name, "i%u_%u", program, number);
    const char *v = orc_json_first(orc_json_member(root, "violations"));
    for (; v; v = orc_json_next(v)) {
        const char *at = orc_json_member(v, "location");
        if (orc_json_is(orc_json_member(v, "kind"), "invariant") &&
            orc_json_is(orc_json_member(at, "function"), name))
            return true;
    }
    return false;
}

/* May the chain say that it saw everything, where nothing breaks the program?  Not within a bound
 * that executions reach. */
static bool claims_all(const struct orc_chain *chain)
{
    return !chain->modest && chain->count != ORC_COUNT_WITHIN &&
           chain->count != ORC_COUNT_BOUNDED && chain->count != ORC_COUNT_INCOMPLETE &&
           chain->races != ORC_RACES_SOME;
}

bool orc_judge_invariants(const struct orc_chain *chain, uint32_t program,
                          const struct orc_result *r, const struct orc_broken *broken,
                          const char *json, int status, FILE *why)
{
    const char *root = orc_json_root(json);
    if (!root) {
        fprintf(why, "    no JSON on stdout, exit status %d\n", status);
        return false;
    }
    /* Within a bound some that are broken may hold.  So may they where stores that no thread sees are
     * not ordered, since an invariant sees them: such a search must not claim to have seen all. */
    bool exhaustive = orc_json_true(orc_json_member(root, "exhaustive"));
    bool observers = strstr(chain->reduce, "observers") != NULL;
    bool within = !exhaustive &&
                  (observers || chain->count == ORC_COUNT_WITHIN ||
                   chain->count == ORC_COUNT_BOUNDED || chain->count == ORC_COUNT_INCOMPLETE);
    if (chain->count == ORC_COUNT_INCOMPLETE && exhaustive)
        return agrees(why, "an incomplete chain is exhaustive", false, true);
    bool first = told(root, program, 0), second = told(root, program, 1), ok = true;
    if (first || !within)
        ok &= agrees(why, "the first invariant is broken", broken->by[0], first);
    if (second || !within)
        ok &= agrees(why, "the second invariant is broken", broken->by[1], second);
    bool cut = r->ends[ORC_ASSERTED] + r->ends[ORC_MISUSED] + broken->by[0] + broken->by[1] > 0;
    /* Of races that rest on failed attempts some searches say that they may miss them. */
    bool races = orc_json_is_only(orc_json_member(root, "undischarged"), "races");
    if (!cut && !observers && !races && claims_all(chain))
        ok &= agrees(why, "exhaustive", true, exhaustive);
    return ok;
}
