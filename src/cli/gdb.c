#define _GNU_SOURCE
#include "cli/gdb.h"

#include "base/fs.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_gdb_replay(const struct hd_job *job, const struct hd_script *script, uint32_t n_threads,
                  struct hd_err *err)
{
    struct hd_worker worker;
    struct hd_strs args;
    char *gdb = hd_fs_which("gdb");
    if (!gdb) {
        hd_err_set(err, "--gdb needs gdb, which is not in the PATH (Debian: apt install gdb)");
        return HD_EXIT_INPUT;
    }
    /* The program finds the script as a worker does, in memory whose descriptor it inherits. */
    if (hd_supervise_prepare(&worker, job, script, n_threads ? n_threads : 1, err) != 0 ||
        fcntl(worker.memory, F_SETFD, 0) != 0)
        return HD_EXIT_INPUT;
    hd_strs_init(&args);
    hd_strs_add(&args, gdb);
    hd_strs_add(&args, "-q");
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "set environment %s=%d", HD_ENV_WORKER, worker.memory);
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "source %s/lib/heddle/heddle-gdb.py", hd_fs_root());
    hd_strs_add(&args, "--args");
    hd_strs_add(&args, hd_program_path(job->program));
    for (char *const *arg = job->args + 1; job->args[0] && *arg; arg++)
        hd_strs_add(&args, *arg);
    execv(gdb, args.items);
    hd_err_set(err, "cannot start %s: %s", gdb, strerror(errno));
    hd_strs_release(&args);
    hd_worker_release(&worker);
    free(gdb);
    return HD_EXIT_INPUT;
}
