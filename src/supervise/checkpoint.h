/* An exploration in a file, to go on with later: the memory of every worker
 * (core/worker_memory.h) and, when there are several, of the tree they share
 * (core/shared_tree.h), as it is while all are between two executions; and what it belongs to.
 *
 *   head       struct head: magic, version, build id, digest of options and arguments, seconds
 *   memories   each: (offset, bytes, data)*, the pages that are not zero; then offset ~0
 *   end        a hash of all that is before, and a signature (base/key.h), zero without a key
 *
 * There is the old one or the new one, never half of one (struct hd_new_file).  Who writes the
 * memory of a worker can make it do anything, so a checkpoint is loaded when this user has
 * signed it, or with --trust. */
#ifndef HD_SUPERVISE_CHECKPOINT_H
#define HD_SUPERVISE_CHECKPOINT_H

#include "base/err.h"
#include "supervise/crew.h"
#include "supervise/program.h"

struct hd_checkpoint {
    const struct hd_program *program;
    char *const *args;
    const struct hd_options *options; /* as the job has them */
    double seconds;                   /* explored so far, all parts together */
    bool trust;                       /* load what is not signed */
};

/* The workers must have been stopped between two executions (ctl.stop) and ended. */
int hd_checkpoint_save(const struct hd_checkpoint *what, const struct hd_crew *crew,
                       const char *path, struct hd_err *err);

/* Fills the memory of a crew that has been initialised and not started; `what` says what the
 * checkpoint must be of, and gets its seconds.  A finished exploration is refused. */
int hd_checkpoint_load(struct hd_checkpoint *what, struct hd_crew *crew, const char *path,
                       struct hd_err *err);

#endif
