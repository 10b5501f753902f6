/* An exploration in a file, to be continued later, in any process that runs the same program.
 *
 *   head      struct head: magic, version, build id, digest of options and arguments, seconds
 *   results   what each worker has counted and found (core/worker_pack.h)
 *   units     what is still to be done: of each worker, and then those that wait for one, a
 *             work unit (explore/jobs/unit.h); results and units with their length before them
 *   end       a hash of all that is before, and a signature (base/key.h), zero without a key
 *
 * Any number of workers may go on: with more than there were some have no unit at first, with
 * fewer the other units wait, and the other results are kept.
 *
 * All numbers have the lowest byte first.  The file is replaced atomically (struct
 * hd_new_file).  What it claims to be explored is not explored again, so a checkpoint is loaded
 * only if this user has signed it, or with --trust. */
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

/* The workers must have been stopped between two executions (ctl.stop), and hd_crew_pack() must
 * have written their units. */
int hd_checkpoint_save(const struct hd_checkpoint *what, const struct hd_crew *crew,
                       const char *path, struct hd_err *err);

/* Fills the memory of a crew that has been initialised and not started; `what` says what the
 * checkpoint must be of, and gets its seconds.  A finished exploration is refused. */
int hd_checkpoint_load(struct hd_checkpoint *what, struct hd_crew *crew, const char *path,
                       struct hd_err *err);

/* A digest of what determines the search: the options except those that may change between two
 * parts, and the program's arguments. */
uint64_t hd_checkpoint_digest(const struct hd_checkpoint *what);

/* Does the file say that it is of such an exploration?  hd_checkpoint_load() checks it. */
bool hd_checkpoint_is_of(const struct hd_checkpoint *what, const char *path);

#endif
