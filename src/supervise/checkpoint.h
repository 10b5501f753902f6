/* An exploration in a file, to go on with later: the worker's memory (core/shared.h) as it is between
 * two executions, and what it belongs to.
 *
 *   head       struct head: magic, version, build id, digest of options and arguments, seconds
 *   extents    (offset, bytes, data)*: the pages of the memory that are not zero
 *   end        offset ~0, and a hash of all that is before
 *
 * Written beside its place and renamed: there is the old one or the new one, never half of one. */
#ifndef HD_SUPERVISE_CHECKPOINT_H
#define HD_SUPERVISE_CHECKPOINT_H

#include "base/err.h"
#include "supervise/program.h"
#include "supervise/worker.h"

struct hd_checkpoint {
    const struct hd_program *program;
    char *const *args;
    const struct hd_options *options; /* as the job has them */
    double seconds;                   /* explored so far, all parts together */
};

/* The worker must have been stopped between two executions (ctl.stop) and ended. */
int hd_checkpoint_save(const struct hd_checkpoint *what, const struct hd_worker *worker,
                       const char *path, struct hd_err *err);

/* Fills the memory of a worker that has been initialised and not started; `what` says what the
 * checkpoint must be of, and gets its seconds.  A finished exploration is refused. */
int hd_checkpoint_load(struct hd_checkpoint *what, struct hd_worker *worker, const char *path,
                       struct hd_err *err);

/* The next worker goes on where the last one was asked to stop. */
void hd_checkpoint_go_on(struct hd_worker *worker);

#endif
