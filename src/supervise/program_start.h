/* Workers of a program: copies of one process of it where that is the same as new processes. */
#ifndef HD_SUPERVISE_PROGRAM_START_H
#define HD_SUPERVISE_PROGRAM_START_H

#include "supervise/program.h"
#include "supervise/worker.h"

/* hd_worker_start() with this program. */
int hd_program_start(const struct hd_program *program, struct hd_worker *worker,
                     char *const *args, struct hd_err *err);

#endif
