/* The distance to a target: the least number of visible actions, and of basic blocks, from
 * every point, through calls, returns and function pointers.
 *
 * A thread's distance depends on its callers, which are known at run time.  So two numbers are
 * kept for a point: the distance to the target without leaving the point's function (through
 * what it calls), and the distance to the function's return.  A thread is at a point p0 and
 * will return to p1, p2, … (the points after the calls on its stack); its distance is the least
 * of
 *     within(p0),  leave(p0) + within(p1),  leave(p0) + leave(p1) + within(p2),  …
 * A call through a pointer costs what its cheapest target costs.  A call that starts a thread
 * leads to what that thread does. */
#ifndef HD_ANALYSE_DISTANCE_H
#define HD_ANALYSE_DISTANCE_H

#include "analyse/facts.h"

#define HD_FAR UINT32_MAX /* it can't be reached */

struct hd_steps {
    uint32_t actions, blocks; /* each the least, perhaps on different paths */
};

struct hd_distance {
    const struct hd_facts *facts;
    struct hd_steps *within; /* by point, before it is executed */
    struct hd_steps *leave;
};

/* Any of the targets. */
void hd_distance_init(struct hd_distance *d, const struct hd_facts *facts,
                      const uint32_t *targets, uint32_t n);
void hd_distance_release(struct hd_distance *d);

/* stack[0] is where the thread stands, the others are the points it will return to. */
struct hd_steps hd_distance_of(const struct hd_distance *d, const uint32_t *stack, uint32_t n);

#endif
