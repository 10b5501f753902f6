/* Signals within the one process: what is queued, and what each does. */
#ifndef HD_RUNTIME_SIGNAL_STATE_H
#define HD_RUNTIME_SIGNAL_STATE_H

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

/* Model memory.  Its address is the one object of all steps that send signals, take them, or
 * change what happens to them. */
struct hd_signals {
    struct hd_disposition dispositions[HD_SIGNAL_NUMBERS];
    uint64_t n_queued;
    struct hd_queued queue[HD_MAX_QUEUED]; /* sent and not taken, oldest first */
};

#endif
