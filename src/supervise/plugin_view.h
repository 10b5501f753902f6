/* What a strategy from outside sees, in its process: the path and the next actions from the
 * mailbox, happens-before between steps, places in the source, facts of the analysis. */
#ifndef HD_SUPERVISE_PLUGIN_VIEW_H
#define HD_SUPERVISE_PLUGIN_VIEW_H

#include "base/rng.h"
#include "core/worker_memory.h"
#include "heddle/strategy.h"
#include "supervise/program.h"

struct hd_plugin_view {
    struct heddle_view view; /* first: strategies get its address */
    struct hd_worker_memory *shared;
    const struct hd_program *program;
    const struct hd_foresight *foresight; /* NULL: nothing is known */
    struct hd_rng rng;
    bool may_open;    /* `ended` is being called, */
    bool prunes;      /* of a strategy that can have left out something */
    uint32_t n_steps; /* of the path that are known */
    struct heddle_alternative alternatives[HD_MOST_ALTERNATIVES];
    /* Clock vectors of steps [0, n_clocks), of `width` threads each; made when they are
     * asked for. */
    uint32_t *clocks, n_clocks, room, width;
};

void hd_plugin_view_init(struct hd_plugin_view *v, struct hd_worker_memory *shared,
                         const struct hd_program *program, const struct hd_foresight *foresight,
                         uint64_t seed);

/* Take over the question in the mailbox.  False: it cannot be one. */
bool hd_plugin_view_take(struct hd_plugin_view *v);

#endif
