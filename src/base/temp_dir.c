/* The directory goes with the process, however that ends: a second process waits for the end and
 * removes what is left.  Signals that can be caught would need care in every place that waits, and
 * SIGKILL cannot be caught. */
#define _GNU_SOURCE
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Nobody waits for this process, and nothing of its parent's stays open for its sake. */
static _Noreturn void remove_at_end(int end, const char *path)
{
    sigset_t all;
    char byte;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid(); /* what ends the parent's group leaves it alone */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    if (dup2(end, 3) == 3)
        close_range(4, ~0u, 0);
    while (read(3, &byte, 1) < 0 && errno == EINTR)
        ;
    hd_fs_remove_tree(path);
    _exit(0);
}

/* The other end of the pipe stays open as long as this process lives; children do not have it. */
static void watch(const char *path)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) { /* a child's child: whoever waits for all children need not wait for it */
        close(ends[1]);
        if (fork() != 0)
            _exit(0);
        remove_at_end(ends[0], path);
    }
    close(ends[0]);
    if (pid < 0)
        close(ends[1]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

int hd_fs_temp_dir(char **path, struct hd_err *err)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] == 0)
        base = "/tmp";
    *path = hd_str_format("%s/heddle.XXXXXX", base);
    if (mkdtemp(*path) == NULL) {
        int e = errno;
        free(*path);
        *path = NULL;
        return hd_err_set(err, "%s: no temporary directory can be made there: %s; set TMPDIR",
                          base, strerror(e));
    }
    watch(*path);
    return 0;
}
