/* Data races as pairs of statements, and those of them that a state shows: two threads are about to
 * access a common byte, at least one to write it, at least one by an access that is not atomic.
 * happens_before.h has the others. */
#ifndef ORC_RACE_H
#define ORC_RACE_H

#include "machine.h"

struct orc_races { /* pairs of statements, both ways round */
    uint8_t pair[ORC_MAX_STMTS][ORC_MAX_STMTS / 8];
};

void orc_races_add(struct orc_races *r, uint32_t a, uint32_t b);
bool orc_races_has(const struct orc_races *r, uint32_t a, uint32_t b);
void orc_races_join(struct orc_races *r, const struct orc_races *more);
bool orc_races_any(const struct orc_races *r);

/* Add the races of the state. */
void orc_races_of(const struct orc_lowered *m, const struct orc_state *s, struct orc_races *r);

#endif
