#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int start(char *const argv[], const char *errors, int write_end, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end, 1);
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0666);
    int failed = posix_spawnp(pid, argv[0], &actions, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    return failed;
}

static int left_ms(const struct timespec *deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long ms = (deadline->tv_sec - now.tv_sec) * 1000 +
              (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return ms > 0 ? (int)ms : 0;
}

/* 0 at the end of the output, -1 when time is over. */
static int drain(int fd, int seconds, struct orc_child *out)
{
    struct timespec deadline;
    size_t room = 0;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds;
    for (;;) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        if (out->n + 4096 > room) {
            room = room ? 2 * room : 16384;
            out->output = realloc(out->output, room);
            if (!out->output) {
                fputs("oracle: out of memory\n", stderr);
                exit(2);
            }
        }
        int ready = poll(&p, 1, left_ms(&deadline));
        if (ready == 0)
            return -1;
        ssize_t n = ready < 0 ? -1 : read(fd, out->output + out->n, room - out->n - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        out->n += (size_t)n;
    }
}

void orc_child_run(char *const argv[], const char *errors, int seconds, struct orc_child *out)
{
    int fds[2], status = 0;
    pid_t pid;
    *out = (struct orc_child){ .status = -1 };
    if (pipe2(fds, O_CLOEXEC)) {
        perror("oracle: pipe");
        exit(2);
    }
    int failed = start(argv, errors, fds[1], &pid);
    close(fds[1]);
    int late = drain(fds[0], failed ? 0 : seconds, out);
    close(fds[0]);
    out->output[out->n] = '\0';
    if (failed)
        return;
    if (late)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!late)
        out->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
