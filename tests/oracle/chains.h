/* The chains that must be tried: every combination of filters that a user can ask for and that may
 * say `verified`, from the tables of src/core. */
#ifndef ORC_CHAINS_H
#define ORC_CHAINS_H

#include "judge.h"

#include <stddef.h>

/* Those that are not among the n listed ones, whose expectations are sharper; what is expected of
 * these is the verdict, all violations and all final states.  The caller's to free; *n_rest of
 * them. */
struct orc_chain *orc_chains_rest(const struct orc_chain *listed, size_t n, size_t *n_rest);

#endif
