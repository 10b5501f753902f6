#include "supervise/swarm.h"

/* What the workers do in turn.  Bugs differ in the orderings that they need, so pct has several
 * depths; pos does not know the reads of weak memory. */
static const struct {
    uint32_t search, pct_depth;
    bool weak;
} members[] = {
    { HD_SEARCH_PCT, 3, true }, { HD_SEARCH_RANDOM, 0, true }, { HD_SEARCH_POS, 0, false },
    { HD_SEARCH_PCT, 2, true }, { HD_SEARCH_PCT, 5, true },
};

#define N_MEMBERS (sizeof members / sizeof *members)

void hd_swarm_member(struct hd_options *options, uint32_t worker)
{
    uint32_t i = worker % N_MEMBERS;
    if (!members[i].weak && options->memory != HD_MEMORY_SC)
        i = 0;
    options->search = members[i].search;
    options->pct_depth = members[i].pct_depth;
}
