/* Calls that wait for ever, and deadlocks that the program allows. */
#ifndef HD_RUNTIME_ATTEMPT_H
#define HD_RUNTIME_ATTEMPT_H

#include "runtime/rt.h"

/* At a scheduling point inside heddle_blocks(): if the thread cannot go on, does not return but
 * takes the call back. */
void hd_attempt_blocked(void);

/* hd_world.judges and hd_world.allows: is there a function that is asked at deadlocks, and does
 * it allow this one? */
bool hd_deadlock_judged(void *self);
bool hd_deadlock_allowed(void *self);

#endif
