/* gdb on a replayed run. */
#ifndef HD_CLI_GDB_H
#define HD_CLI_GDB_H

#include "supervise/supervise.h"

/* Becomes gdb, which runs the script up to its end (lib/heddle/heddle-gdb.py has the commands).  Returns
 * only when that fails: the exit status, with err. */
int hd_gdb_replay(const struct hd_job *job, const struct hd_script *script, uint32_t n_threads,
                  struct hd_err *err);

#endif
