#define _GNU_SOURCE
#include "supervise/worker_process.h"

#include "core/sandbox.h"
#include "core/worker_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What a child that failed to become the program writes into the pipe. */
struct start_report {
    int error;
    bool randomised;
    bool unfiltered; /* its system calls can reach outside */
};

static int inherit(int fd) { return fd >= 0 ? fcntl(fd, F_SETFD, 0) : 0; }

/* Between vfork and exec, in the memory of the parent, which stands still; never returns. */
static _Noreturn void become_program(const struct hd_new_process *process, int pipe_end,
                                     pid_t parent, char **env)
{
    struct start_report report = { 0 };
    struct rlimit no_core = { 0, 0 };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    setpgid(0, 0); /* the terminal's Ctrl-C is for the supervisor */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int persona = personality(0xffffffff);
    report.randomised = persona < 0 ||
                        personality((unsigned long)persona | ADDR_NO_RANDOMIZE) < 0;
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
        inherit(process->descriptor) != 0 || inherit(process->extra) != 0)
        report.error = errno;
    report.unfiltered = process->served ? !hd_sandbox_available()
                                        : hd_sandbox_enter(false, NULL) != 0;
    if ((report.randomised || report.unfiltered) && report.error == 0 &&
        write(pipe_end, &report, sizeof report) != sizeof report)
        _exit(127);
    if (report.error == 0)
        execve(process->path, process->args, env);
    if (report.error == 0)
        report.error = errno;
    if (write(pipe_end, &report, sizeof report) != sizeof report)
        _exit(126);
    _exit(127);
}

static bool is_ours(const char *variable)
{
    return strncmp(variable, HD_ENV_WORKER "=", sizeof HD_ENV_WORKER) == 0 ||
           strncmp(variable, HD_ENV_SERVER "=", sizeof HD_ENV_SERVER) == 0;
}

/* Our environment with VARIABLE=fd in front; the caller frees the array and its first. */
static char **environment_with(const char *variable, int fd)
{
    size_t n = 0, bytes = strlen(variable) + 16;
    while (environ[n])
        n++;
    char **env = hd_alloc((n + 2) * sizeof *env);
    env[0] = hd_alloc(bytes);
    snprintf(env[0], bytes, "%s=%d", variable, fd);
    size_t at = 1;
    for (size_t i = 0; i < n; i++)
        if (!is_ours(environ[i]))
            env[at++] = environ[i];
    return env;
}

int hd_new_process_start(struct hd_new_process *process, struct hd_err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return hd_err_set(err, "cannot start %s: pipe: %s", process->path, strerror(errno));
    char **env = environment_with(process->variable, process->descriptor);
    pid_t self = getpid();
    fflush(NULL);
    pid_t pid =
        vfork(); /* NOLINT(bugprone-unsafe-functions): to copy a large supervisor is slow */
    if (pid == 0)
        become_program(process, ends[1], self, env);
    int error = errno;
    free(env[0]);
    free(env);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return hd_err_set(err, "cannot start %s: fork: %s", process->path, strerror(error));
    }
    struct start_report report = { 0 };
    ssize_t got;
    while ((got = read(ends[0], &report, sizeof report)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        process->randomised = report.randomised;
        process->unfiltered = report.unfiltered;
        if (got < 0 || report.error != 0)
            break;
    }
    close(ends[0]);
    process->pid = pid;
    if (report.error == 0)
        return 0;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
        ;
    return hd_err_set(err, "cannot start %s: %s", process->path, strerror(report.error));
}
