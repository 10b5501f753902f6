/* Shared by the calls on signals. */
#ifndef HD_RUNTIME_SIGNAL_H
#define HD_RUNTIME_SIGNAL_H

#include "core/op.h"
#include "runtime/signal_state.h"

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t hd_signal_bit(int number) { return 1ull << (number - 1); }

/* signal.c */
uint64_t hd_signal_set(const void *set, uint32_t site); /* a sigset_t that the program passes */
void hd_signal_act(enum hd_op op, uint32_t site);       /* the step */
/* Take the next signal of the set that is meant for the running thread; false: there is
 * none. */
bool hd_signal_take(uint64_t set, struct hd_queued *taken);
bool hd_signal_pending(uint64_t set);
/* Is a signal pending for the thread that it does not block, and that a handler would take? */
bool hd_signal_due(uint32_t thread);
/* Deliver the signals that are pending for the running thread and that it does not block. */
void hd_signal_due_now(uint32_t site);
/* Run the handler in the running thread.  False: the signal is ignored. */
bool hd_signal_deliver(const struct hd_queued *q, uint32_t site);

/* interrupt.c, under a weak memory model: is a signal pending that the thread does not block,
 * its own or one of the process?  The threads below 64 that have one of their own, by bit: the
 * state of the object.  The signals that are pending for the process, by bit. */
bool hd_signal_is_open(uint32_t thread);
uint64_t hd_signal_state(void);
uint64_t hd_signal_of_process(void);

#endif
