/* An exploration of a part of a search (parts.h): its unit is laid into the memory that the
 * workers share, and what is left when they stop is taken from there. */
#ifndef HD_SUPERVISE_EXPLORATION_PART_H
#define HD_SUPERVISE_EXPLORATION_PART_H

#include "supervise/exploration_results.h"

/* The crew has been initialised and not started. */
int hd_exploration_lay_unit(struct hd_exploration *x, struct hd_err *err);

/* The workers have ended, with the first violation (`broke`) or between two executions: fill
 * part->result and part->units.  A death that no worker has recorded is recorded first. */
int hd_exploration_part_over(struct hd_exploration *x, bool broke,
                             struct hd_unrecorded *unrecorded, struct hd_err *err);

/* The search would have to begin again with something new, which all its parts must know. */
int hd_exploration_cannot_change(const char *why, const char *remedy, struct hd_err *err);

#endif
