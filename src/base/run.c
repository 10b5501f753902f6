#define _GNU_SOURCE
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void drain(int fd, struct hd_str *into)
{
    char buffer[4096];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        hd_str_append_bytes(into, buffer, (size_t)n);
    }
}

/* Between vfork and exec, in the memory of the parent, which stands still. */
static _Noreturn void become(char *const *argv, pid_t parent, int output, int output_fd,
                             int errors, volatile int *failed)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it works for us alone */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (getppid() == parent && (output < 0 || dup2(output, output_fd) >= 0) &&
        (errors < 0 || dup2(errors, STDERR_FILENO) >= 0))
        execve(argv[0], argv, environ);
    *failed = errno;
    _exit(127);
}

/* Returns 0, or the number of the error. */
static int start(pid_t *pid, char *const *argv, int output, int output_fd, int errors)
{
    volatile int failed = 0;
    pid_t self = getpid();
    *pid = vfork(); /* NOLINT(bugprone-unsafe-functions): to copy a large process is slow */
    if (*pid == 0)
        become(argv, self, output, output_fd, errors, &failed);
    if (*pid < 0)
        return errno;
    if (failed)
        waitpid(*pid, NULL, 0);
    return failed;
}

/* stderr goes to the file `errors`, unless that is -1. */
static int run(char *const *argv, int captured_fd, struct hd_str *captured, int errors,
               struct hd_err *err)
{
    int ends[2] = { -1, -1 };
    pid_t pid;
    if (captured && pipe2(ends, O_CLOEXEC) != 0)
        return hd_err_set(err, "no pipe: %s", strerror(errno));
    int failed = start(&pid, argv, captured ? ends[1] : -1, captured_fd, errors);
    if (captured)
        close(ends[1]);
    if (!failed && captured)
        drain(ends[0], captured);
    if (captured)
        close(ends[0]);
    if (failed)
        return hd_err_set(err, "%s cannot be run: %s", argv[0], strerror(failed));

    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return hd_err_set(err, "%s: wait failed: %s", argv[0], strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int hd_run(char *const *argv, struct hd_str *captured, struct hd_err *err)
{
    return run(argv, STDERR_FILENO, captured, -1, err);
}

int hd_run_output(char *const *argv, struct hd_str *output, struct hd_str *errors,
                  struct hd_err *err)
{
    int file = -1;
    if (errors && (file = memfd_create("stderr", MFD_CLOEXEC)) < 0)
        return hd_err_set(err, "no file in memory: %s", strerror(errno));
    int status = run(argv, STDOUT_FILENO, output, file, err);
    if (errors) {
        lseek(file, 0, SEEK_SET);
        drain(file, errors);
        close(file);
    }
    return status;
}
