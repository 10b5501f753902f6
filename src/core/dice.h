/* One round of slice-n-dice (docs/design/007-slice-n-dice.md): which threads interleave, and
 * where.  Made by the supervisor before the round, read by the filter dice, which notes what
 * was reached.
 *
 * Threads are of kinds: what they begin with.  A place belongs to the slice of some kinds and
 * not of others, though threads of all of them may come there. */
#ifndef HD_CORE_DICE_H
#define HD_CORE_DICE_H

#include "core/route.h"
#include "core/tset.h"

#define HD_MAX_THREAD_KINDS 64

struct hd_dice {
    uint32_t n_sites;      /* of the program; 0: this is no round */
    struct hd_tset inside; /* T_s: the threads that interleave */
    struct hd_tset first;  /* of those: tried before the others */
    uint32_t
        wide; /* where one of them waits for the end of another thread, that one may run, too */
    uint8_t kind[HD_MAX_THREADS];     /* by thread */
    uint32_t created[HD_MAX_THREADS]; /* by thread: the site where it was; 0: not seen */
    /* by site, a bit for every kind: */
    uint64_t slice[HD_MAX_GUIDED];   /* L_s: threads of that kind stop there */
    uint64_t reached[HD_MAX_GUIDED]; /* L_r: threads inside, of that kind, have been there */
};

#endif
