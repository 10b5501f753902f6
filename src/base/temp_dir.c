/* The directory is removed when the process ends, in any way: a second process creates it,
 * waits for the end of the first and removes what is left.  Signal handlers would need care in
 * every place that waits, and SIGKILL cannot be caught. */
#define _GNU_SOURCE
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The message of the second process: the name of the directory, or why there is none. */
struct made {
    int error;
    char path[PATH_MAX];
};

/* This process is not waited for and keeps nothing of its parent's open.  It leaves the session
 * before it creates the directory, so that a signal to the parent's group does not reach it. */
static _Noreturn void keep(int end, int to, struct made *made)
{
    sigset_t all;
    char byte;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    if (mkdtemp(made->path) == NULL)
        made->error = errno;
    if (write(to, made, sizeof *made) != sizeof *made && made->error == 0)
        rmdir(made->path);
    if (made->error)
        _exit(0);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    if (dup2(end, 3) == 3)
        close_range(4, ~0u, 0);
    while (read(3, &byte, 1) < 0 && errno == EINTR)
        ;
    hd_fs_remove_tree(made->path);
    _exit(0);
}

static bool receive(int from, struct made *made)
{
    size_t have = 0;
    while (have < sizeof *made) {
        ssize_t n = read(from, (char *)made + have, sizeof *made - have);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        have += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* The other end of the pipe `ends` stays open as long as this process lives; children do not
 * have it.  False: there is no second process. */
static bool make_kept(struct made *made)
{
    int ends[2], answer[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (pipe2(answer, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) { /* a child's child: a wait for all children does not wait for it */
        close(ends[1]);
        close(answer[0]);
        if (fork() != 0)
            _exit(0);
        keep(ends[0], answer[1], made);
    }
    close(ends[0]);
    close(answer[1]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    bool kept = pid > 0 && receive(answer[0], made);
    close(answer[0]);
    if (!kept)
        close(ends[1]);
    return kept;
}

int hd_fs_temp_dir(char **path, struct hd_err *err)
{
    const char *base = getenv("TMPDIR");
    struct made made = { 0 }, again;
    if (base == NULL || base[0] == 0)
        base = "/tmp";
    int n = snprintf(made.path, sizeof made.path, "%s/heddle.XXXXXX", base);
    if (n < 0 || (size_t)n >= sizeof made.path)
        return hd_err_set(err, "TMPDIR: the name is too long");
    again = made;
    if (!make_kept(&made)) { /* as a last resort the directory has no keeper */
        made = again;
        made.error = mkdtemp(made.path) ? 0 : errno;
    }
    *path = NULL;
    if (made.error)
        return hd_err_set(err, "%s: no temporary directory can be made there: %s; set TMPDIR",
                          base, strerror(made.error));
    *path = hd_strdup(made.path);
    return 0;
}
