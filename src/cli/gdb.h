/* gdb on a replayed run. */
#ifndef HD_CLI_GDB_H
#define HD_CLI_GDB_H

#include "supervise/supervise.h"

/* Runs gdb, which runs the script up to step `until`, 0: its end (lib/heddle/heddle-gdb.py has
 * the commands), and waits for it.  Returns the exit status, with err when there is no gdb. */
int hd_gdb_replay(const struct hd_job *job, const struct hd_script *script,
                  const struct hd_run *run, uint32_t until, struct hd_err *err);

#endif
