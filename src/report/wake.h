/* Why a thread that waits on a condition variable is never woken. */
#ifndef HD_REPORT_WAKE_H
#define HD_REPORT_WAKE_H

#include "supervise/supervise.h"

enum hd_wake_fate {
    HD_WAKE_NONE,    /* there was no signal, or it is not known */
    HD_WAKE_UNHEARD, /* it found nobody waiting */
    HD_WAKE_EARLY,   /* it came before the thread waited, and woke others */
    HD_WAKE_ANOTHER, /* the thread waited already, and it woke another one */
    HD_WAKE_IN_VAIN, /* it woke the thread, which waited again */
};

struct hd_wake {
    enum hd_wake_fate fate;
    uint32_t step; /* index in the log; not for HD_WAKE_NONE */
    uint32_t n;    /* HD_WAKE_ANOTHER: signals since it waits, each of which woke another */
};

/* Are they names of the same byte? */
bool hd_wake_same_object(const struct hd_name *a, const struct hd_name *b);

/* Is it a signal or broadcast of what the thread waits for? */
bool hd_wake_is_signal(const struct hd_step *step, const struct hd_standing *s);

/* What became of the newest signal or broadcast of the condition variable on which the thread
 * of a deadlock waits. */
struct hd_wake hd_wake_last(const struct hd_run *run, const struct hd_standing *s);

#endif
