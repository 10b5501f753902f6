#include "presets.h"

#include <string.h>

/* The same as of the chains that they stand for (run_main.c, chains.c); but `scale` has a
 * dependence of its own, `chess` and its like go on from bound to bound, and `auto` is several
 * searches. */
static const struct orc_chain presets[] = {
    { .reduce = "auto", .count = ORC_COUNT_PASSES },
    { .reduce = "optimal", .count = ORC_COUNT_RACES, .unblocked = true },
    { .reduce = "source", .count = ORC_COUNT_RACES },
    { .reduce = "inspect", .count = ORC_COUNT_RACES },
    { .reduce = "dpor:plain", .count = ORC_COUNT_REPEATS },
    { .reduce = "jpf", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "jpf:states", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "stateful", .count = ORC_COUNT_STATES },
    { .reduce = "hybrid", .count = ORC_COUNT_PASSES },
    { .reduce = "hybrid:hr", .count = ORC_COUNT_PASSES, .modest = true },
    { .reduce = "dpor-stateful", .count = ORC_COUNT_PASSES },
    { .reduce = "hr", .count = ORC_COUNT_PASSES, .modest = true },
    { .reduce = "hr-fields", .count = ORC_COUNT_PASSES, .modest = true },
    { .reduce = "brute", .count = ORC_COUNT_INTERLEAVINGS, .unreduced = true },
    { .reduce = "scale", .count = ORC_COUNT_RACES, .races = ORC_RACES_UNLESS_BROKEN },
    { .reduce = "scale:nsb", .count = ORC_COUNT_TRACES },
    { .reduce = "chess", .count = ORC_COUNT_BOUNDED, .unreduced = true },
    { .reduce = "chess-states", .count = ORC_COUNT_BOUNDED, .unreduced = true },
    { .reduce = "chess-sync", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "random", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "pct", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "pos", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "swarm", .count = ORC_COUNT_INCOMPLETE, .jobs = "2" },
    { .reduce = "hgs", .count = ORC_COUNT_STATES },
    { .reduce = "hgs-jpf", .count = ORC_COUNT_INCOMPLETE },
    { .reduce = "meta", .count = ORC_COUNT_INCOMPLETE },
};

const struct orc_chain *orc_preset(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(presets[i].reduce, name) == 0)
            return &presets[i];
    return NULL;
}
