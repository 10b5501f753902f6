/* What is expected of the presets of --strategy. */
#ifndef ORC_PRESETS_H
#define ORC_PRESETS_H

#include "judge.h"

/* NULL: nothing is known of it, or another judge has it (presets.sh).  `reduce` is its name. */
const struct orc_chain *orc_preset(const char *name);

#endif
