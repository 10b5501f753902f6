/* Which calls may end a wait: for every call that waits for others without a limit of time (on
 * a condition variable, a semaphore, at a barrier) the calls that may wake it, and for every
 * point those that may still be made from there on, as future.h has it for all visible
 * instructions.
 *
 * Nothing is known about programs with unknown code, or with jumps across functions
 * (setjmp). */
#ifndef HD_ANALYSE_WAKERS_H
#define HD_ANALYSE_WAKERS_H

#include "analyse/facts.h"
#include "core/site.h"

struct hd_wakers {
    struct hd_site_wakers *of; /* by point */
};

void hd_wakers_init(struct hd_wakers *wakers, struct hd_facts *facts);
void hd_wakers_release(struct hd_wakers *wakers);

#endif
