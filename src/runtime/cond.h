/* Shared by the parts of condition variables. */
#ifndef HD_RUNTIME_COND_H
#define HD_RUNTIME_COND_H

#include "runtime/rt.h"

/* cond.c: the waiter is woken, and goes to its mutex. */
void hd_cond_wake(struct hd_sync *cond, uint32_t thread);

/* cond.c: the waiter stands at its mutex now; `a` is the action with which it waits. */
void hd_cond_to_mutex(uint32_t thread, struct hd_action *a);
void hd_cond_recount(uint64_t cond); /* the choices of pending signals */

/* cond.c: may the running thread's next wait end without a signal (--spurious)? */
bool hd_cond_wakes_alone(void);

/* cond_token.c: does a signal leave a token instead of choosing a waiter? */
bool hd_cond_has_tokens(void);

void hd_cond_put_token(struct hd_sync *cond);

/* The running thread has its mutex again.  If a token allowed that, the token is used up. */
void hd_cond_token_taken(struct hd_sync *cond);

#endif
