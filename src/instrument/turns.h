/* Loops in which a thread may go round without an effect: it looks or tries, and does so
 * again. */
#ifndef HD_INSTRUMENT_TURNS_H
#define HD_INSTRUMENT_TURNS_H

#include "instrument/pass.h"
#include "instrument/plan.h"

struct hd_turns {
    struct hd_ptrmap looks; /* function -> what kind of load may be reached from it */
    struct hd_plan *plan;
};

/* Looks at the whole module; must come before any rewriting. */
void hd_turns_init(struct hd_turns *turns, LLVMModuleRef module, struct hd_plan *plan);
void hd_turns_release(struct hd_turns *turns);

/* Puts a hook (__heddle_turn, __heddle_turn_plain, core/abi.h) at the head of each such loop
 * of the function that is not known to wait (await.c).  Its accesses have not been
 * rewritten. */
void hd_turns_hook(const struct hd_turns *turns, struct hd_pass *p);

#endif
