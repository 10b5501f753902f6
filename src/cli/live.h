/* Progress on standard error while an exploration runs: a line that is overwritten on a
 * terminal, a new line every half minute elsewhere. */
#ifndef HD_CLI_LIVE_H
#define HD_CLI_LIVE_H

#include "supervise/supervise.h"

#define HD_LIVE_KEPT 64

struct hd_live {
    bool on, terminal, shown;
    bool bounded;      /* the current preemption bound is shown */
    const char *phase; /* of the last line; NULL: there are none */
    double last_seconds;
    uint64_t last_done;
    double estimates[HD_LIVE_KEPT]; /* the last ones; their spread is the uncertainty */
    uint32_t n_estimates;
};

void hd_live_init(struct hd_live *live, bool quiet, bool bounded);
void hd_live_show(void *live, const struct hd_progress *progress); /* hd_watch.progress */
/* On a terminal: what is being done, for the ith of n things. */
void hd_live_say(struct hd_live *live, const char *what, uint32_t i, uint32_t n);
void hd_live_clear(struct hd_live *live);

#endif
