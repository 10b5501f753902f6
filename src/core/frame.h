/* A call that a thread is in: a record on its own stack, written by instrumented code before
 * the call and removed after it (instrument/frames.h).  It is restored with the stack. */
#ifndef HD_CORE_FRAME_H
#define HD_CORE_FRAME_H

#include <stdint.h>

struct hd_frame {
    const struct hd_frame *caller; /* NULL: the thread's first */
    uint32_t site;                 /* of the call; 0 while the function stands in none */
    uint32_t low; /* of the stack pointer the lower half, in a call of code that heddle does
                     not see; 0 in other calls */
};

#define HD_FRAME_SYMBOL "__heddle_frame" /* const struct hd_frame *, of the running thread */
#define HD_MAX_FRAMES 256                /* of a stack that is looked at: the innermost ones */

/* Stacks that a replay keeps: each is a number, the same one for equal stacks; 0 is the empty
 * one. Number n is calls[n]: the innermost call, and the number of the stack around it, which
 * is lower. */
#define HD_MAX_STACKS (1u << 16)
#define HD_STACK_HEADS (1u << 12)

struct hd_kept_call {
    uint32_t around, site;
    uint32_t next; /* another one with the same hash */
};

struct hd_stacks {
    uint32_t n; /* of calls[]; calls[0] is not used */
    uint32_t heads[HD_STACK_HEADS];
    struct hd_kept_call calls[HD_MAX_STACKS];
};

/* The stack with the call inside; `around` itself when there is no room. */
uint32_t hd_stacks_keep(struct hd_stacks *stacks, uint32_t around, uint32_t site);

/* The sites of the calls of a kept stack, innermost first, at most `most`; returns how many.
 * `calls` are those of a hd_stacks, `n` of them. */
uint32_t hd_stacks_get(const struct hd_kept_call *calls, uint32_t n, uint32_t stack,
                       uint32_t *sites, uint32_t most);

#endif
