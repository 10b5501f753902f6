/* Does the program look at an address of a thread's own memory as a number?
 *
 * Stacks, heaps and thread-local blocks of two threads have different addresses.  A program
 * that only stores, loads, follows and compares pointers for equality does the same whatever
 * they are; one that orders, prints, hashes or cuts them may not.  docs/design/025-symmetry.md
 * lists what counts as a move and what as a look. */
#ifndef HD_ANALYSE_ALIKE_H
#define HD_ANALYSE_ALIKE_H

#include "analyse/facts.h"

struct hd_alike {
    uint32_t point;  /* HD_NO_POINT: of no instruction */
    const char *why; /* NULL: nowhere */
};

/* The first such place. */
struct hd_alike hd_alike_find(struct hd_facts *facts);

#endif
