#define _GNU_SOURCE
#include "cli/gdb.h"

#include "base/fs.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ctrl-C is for gdb; the program's folder is ours to remove afterwards. */
static int run_and_wait(const char *gdb, char **args, struct hd_err *err)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    int status;
    sigaction(SIGINT, &ignore, &before);
    pid_t pid = fork();
    if (pid == 0) {
        sigaction(SIGINT, &before, NULL);
        execv(gdb, args);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return HD_EXIT_OK;
    hd_err_set(err, "cannot start %s", gdb);
    return HD_EXIT_INPUT;
}

int hd_gdb_replay(const struct hd_job *job, const struct hd_script *script, uint32_t n_threads,
                  uint32_t until, struct hd_err *err)
{
    struct hd_worker worker;
    struct hd_strs args;
    char *gdb = hd_fs_which("gdb");
    if (!gdb) {
        hd_err_set(err, "--gdb needs gdb, which is not in the PATH (Debian: apt install gdb)");
        return HD_EXIT_INPUT;
    }
    /* The program finds the script as a worker does, in memory whose descriptor it inherits. */
    if (hd_supervise_prepare(&worker, job, script, n_threads ? n_threads : 1, err) != 0)
        return HD_EXIT_INPUT;
    fcntl(worker.memory, F_SETFD, 0);
    hd_strs_init(&args);
    hd_strs_add(&args, gdb);
    hd_strs_add(&args, "-q");
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "set environment %s=%d", HD_ENV_WORKER, worker.memory);
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "source %s/lib/heddle/heddle-gdb.py", hd_fs_root());
    if (until) {
        hd_strs_add(&args, "-ex");
        hd_strs_addf(&args, "heddle goto %u", until);
    }
    hd_strs_add(&args, "--args");
    hd_strs_add(&args, hd_program_path(job->program));
    for (char *const *arg = job->args + 1; job->args[0] && *arg; arg++)
        hd_strs_add(&args, *arg);
    int status = run_and_wait(gdb, args.items, err);
    hd_strs_release(&args);
    hd_worker_release(&worker);
    free(gdb);
    return status;
}
