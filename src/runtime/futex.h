/* Futexes; the system call that reaches them is in syscall.c. */
#ifndef HD_RUNTIME_FUTEX_H
#define HD_RUNTIME_FUTEX_H

#include "runtime/rt.h"

struct timespec;

struct hd_futex_call {
    uint32_t *word, *word2;
    int op;
    uint32_t value;  /* wait: what the word must hold; others: how many to wake */
    uint32_t limit;  /* requeue: how many to move */
    uint32_t value3; /* a mask; requeue: what the word must hold */
    const struct timespec *timeout;
    uint32_t site;
};

/* As the system call: -1 with errno when it fails. */
long hd_futex(const struct hd_futex_call *call);

/* The choices of pending wakes. */
void hd_futex_recount(uint64_t word);

/* The running thread waits there no longer, though nobody has woken it. */
void hd_futex_leave(uint64_t word);

/* hd_world.outcome and hd_world.chosen of a thread at a futex operation. */
enum hd_op hd_futex_outcome(uint32_t thread);
uint32_t hd_futex_chosen(uint32_t thread, uint32_t choice);

/* The threads below 64 that sleep at any futex.  Of a thread at a requeue under a weak memory
 * model: HD_MOVE_WAKES and HD_MOVE_COMPARES (core/enabled.h). */
uint64_t hd_futex_sleepers(void);
uint64_t hd_futex_moves(uint32_t thread);

#endif
