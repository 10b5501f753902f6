#define _GNU_SOURCE
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
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

/* stderr goes to the file `errors`, unless that is -1. */
static int run(char *const *argv, int captured_fd, struct hd_str *captured, int errors,
               struct hd_err *err)
{
    int ends[2] = { -1, -1 };
    pid_t pid;
    posix_spawn_file_actions_t actions;
    if (captured && pipe2(ends, O_CLOEXEC) != 0)
        return hd_err_set(err, "no pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    if (captured)
        posix_spawn_file_actions_adddup2(&actions, ends[1], captured_fd);
    if (errors >= 0)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    int failed = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
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
