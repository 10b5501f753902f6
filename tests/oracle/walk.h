/* The path of a walk through a program's steps, with the trace of the prefix. */
#ifndef ORC_WALK_H
#define ORC_WALK_H

#include "happens_before.h"
#include "interp.h"

struct orc_walk {
    const struct orc_lowered *m;
    uint32_t depth;
    uint8_t count[ORC_MAX_THREADS]; /* steps by thread */
    struct orc_event events[ORC_MAX_STEPS];
    uint8_t clocks[ORC_MAX_STEPS][8];
    struct orc_key traces[ORC_MAX_STEPS + 1]; /* of the prefixes */
    uint32_t n_hb[ORC_MAX_STEPS];             /* events of happens-before, before each step */
    bool racy[ORC_MAX_STEPS]; /* the step races with an earlier one, or comes of one that does */
    struct orc_races *races;  /* where data races go; NULL: they are not looked for */
    struct orc_races *first;  /* where those go that come of no other */
    bool weak; /* an atomic access weaker than seq_cst was made beside another thread */
    struct orc_hb hb;
};

void orc_walk_init(struct orc_walk *w, const struct orc_lowered *m);

/* Make the step in *s, which is a copy the caller keeps the original of. */
enum orc_end orc_walk_step(struct orc_walk *w, struct orc_state *s, uint32_t t, uint32_t choice,
                           uint16_t *stmt);
/* The whole run as a trace in which the order of unseen stores does not count. */
struct orc_key orc_walk_observed(struct orc_walk *w);

void orc_walk_back(struct orc_walk *w);

#endif
