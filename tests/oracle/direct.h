/* oracle-direct: the interpreter's machine as a world for heddle's explorer. */
#ifndef ORC_DIRECT_H
#define ORC_DIRECT_H

#include "explore/loop/explorer.h"
#include "interp.h"

#define ORC_ADDRESS 0x10000ull /* addresses of shared bytes begin here */
#define ORC_OBJECT(space, i) (0x100000ull + 0x1000ull * (space) + 64ull * (i))

struct world {
    const struct orc_lowered *m;
    struct orc_state state, undo[ORC_MAX_STEPS + 1];
    uint32_t depth, last;
    /* By bit: threads that gave up in an atomic section, which heddle undoes. */
    uint32_t held, held_before[ORC_MAX_STEPS + 1];
    struct hd_config config;
    struct hd_action next[ORC_MAX_THREADS];
    struct hd_world world;
    struct orc_set finals;
    struct orc_result got;
    bool broken[ORC_MAX_INVARIANTS];
    struct hd_readset *readset; /* NULL: the program has no invariants */
};

/* The thread's next action, as heddle names it. */
struct hd_action orc_action_of(const struct world *w, uint32_t t);

#endif
