/* Signals within the one process. */
#ifndef HD_RUNTIME_SIGNAL_H
#define HD_RUNTIME_SIGNAL_H

#include "core/op.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SIGNAL_NUMBERS 65
#define HD_MAX_QUEUED 256

struct hd_disposition { /* what a signal does */
    void (*handler)(int);
    uint64_t mask; /* blocked while the handler runs */
    uint64_t flags;
};

struct hd_queued {
    uint32_t number;
    uint32_t target; /* thread + 1; 0: the process */
    int64_t code;    /* SI_USER, SI_TKILL, SI_QUEUE */
    uint64_t value;  /* of sigqueue */
};

/* Model memory.  Its address is the one object of all steps that send signals, take them, or change
 * what happens to them. */
struct hd_signals {
    struct hd_disposition dispositions[HD_SIGNAL_NUMBERS];
    uint64_t n_queued;
    struct hd_queued queue[HD_MAX_QUEUED]; /* sent and not taken, oldest first */
};

static inline uint64_t hd_signal_bit(int number) { return 1ull << (number - 1); }

/* signal.c */
uint64_t hd_signal_set(const void *set, uint32_t site); /* a sigset_t that the program passes */
void hd_signal_act(enum hd_op op, uint32_t site);       /* the step */
/* Take the next signal of the set that is meant for the running thread; false: there is none. */
bool hd_signal_take(uint64_t set, struct hd_queued *taken);
bool hd_signal_pending(uint64_t set);
/* Run the handler in the running thread.  False: the signal is ignored. */
bool hd_signal_deliver(const struct hd_queued *q, uint32_t site);

#endif
