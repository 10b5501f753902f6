#define _GNU_SOURCE
#include "cli/gdb.h"

#include "base/fs.h"
#include "base/str.h"
#include "report/name.h"
#include "report/step.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* A file without a name that has a line for each step: what it does.  gdb inherits it. */
static int describe_steps(const struct hd_run *run, struct hd_program *program,
                          struct hd_err *err)
{
    struct hd_str text;
    hd_str_init(&text);
    for (uint32_t i = 0; i < run->n_log; i++) {
        struct hd_place place = hd_program_site(program, run->log[i].site);
        hd_name_thread(&text, &run->threads, run->log[i].thread);
        hd_str_append(&text, ": ");
        hd_step_what(&text, &run->log[i], run, program);
        if (place.line) {
            hd_str_append(&text, " at ");
            hd_step_where(&text, &place);
        }
        hd_str_append_char(&text, '\n');
    }
    int fd = memfd_create("heddle-steps", 0);
    ssize_t n = 1;
    for (size_t done = 0; fd >= 0 && done < text.length && n > 0; done += (size_t)n)
        n = pwrite(fd, text.text + done, text.length - done, (off_t)done);
    hd_str_release(&text);
    if (fd >= 0 && n > 0)
        return fd;
    hd_err_set(err, "no memory for the steps of the run: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int hd_gdb_replay(const struct hd_job *job, const struct hd_script *script,
                  const struct hd_run *run, uint32_t until, struct hd_err *err)
{
    uint32_t n_threads = run->threads.n;
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
    int steps = describe_steps(run, job->program, err);
    if (steps < 0) {
        hd_worker_release(&worker);
        free(gdb);
        return HD_EXIT_INPUT;
    }
    fcntl(worker.memory, F_SETFD, 0);
    hd_strs_init(&args);
    hd_strs_add(&args, gdb);
    hd_strs_add(&args, "-q");
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "set environment %s=%d", HD_ENV_WORKER, worker.memory);
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "python heddle_steps = %d", steps);
    hd_strs_add(&args, "-ex");
    hd_strs_addf(&args, "source %s/lib/heddle/heddle-gdb.py", hd_fs_root());
    if (*hd_program_directory(job->program)) {
        hd_strs_addf(&args, "--directory=%s/..", hd_program_directory(job->program));
        hd_strs_addf(&args, "--directory=%s", hd_program_directory(job->program));
    }
    if (until) {
        hd_strs_add(&args, "-ex");
        hd_strs_addf(&args, "heddle goto %u", until);
    }
    hd_strs_add(&args, "--args");
    hd_strs_add(&args, hd_program_path(job->program));
    for (char *const *arg = job->args + 1; job->args[0] && *arg; arg++)
        hd_strs_add(&args, *arg);
    int status = run_and_wait(gdb, args.items, err);
    close(steps);
    hd_strs_release(&args);
    hd_worker_release(&worker);
    free(gdb);
    return status;
}
