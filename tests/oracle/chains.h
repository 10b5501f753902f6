/* The chains that must be tried: every combination of filters that a user can ask for, from the
 * tables of src/core. */
#ifndef ORC_CHAINS_H
#define ORC_CHAINS_H

#include "judge.h"

#include <stddef.h>

/* Those that are not among the n listed ones, whose expectations are sharper; what is expected of
 * these is the verdict, all violations and all final states.  The caller's to free; *n_rest of
 * them. */
/* Behind them stand the chains that never say `verified`: those of the tables with a filter that
 * claims nothing, and pairs that only --allow-unsound lets stand together. */
struct orc_chain *orc_chains_rest(const struct orc_chain *listed, size_t n, size_t *n_rest);

#endif
