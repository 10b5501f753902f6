/* Invariants of generated programs: predicates over single bytes of the shared memory.
 *
 * By the definition an invariant must hold in every state that an interleaving reaches: in the
 * first one, and after every step that does not end the execution.  A state in which one is
 * broken ends the execution; of several that are broken there, the first is told. */
#ifndef ORC_INVARIANT_H
#define ORC_INVARIANT_H

#include "interp.h"

/* The first that is broken, or -1.  read[i] becomes 1 where byte i is read on the way. */
int orc_invariants_broken(const struct orc_program *p, const uint8_t *memory,
                          uint8_t read[ORC_MAX_BYTES]);

/* As C: the function's text, for the program of that index. */
void orc_invariant_text(const struct orc_invariant *inv, uint32_t index, char *text, size_t size);

struct orc_broken {
    bool overflow;               /* more than `most` states; nothing else is valid then */
    bool by[ORC_MAX_INVARIANTS]; /* somewhere it is the first that is broken */
    uint8_t read[ORC_MAX_BYTES]; /* bytes that are read in some state */
};

/* Every reachable state, from the definition. */
void orc_invariants_judge(const struct orc_lowered *m, uint64_t most, struct orc_broken *out);

/* Gives the program one or two, by its seed, and says which are broken.  r becomes what the
 * program does without them, but its traces are those in which steps that write what they read
 * are ordered.  False: it has too many states. */
bool orc_invariants_give(struct orc_program *p, const struct orc_lowered *m, uint64_t most,
                         struct orc_result *r, struct orc_broken *broken);

#endif
