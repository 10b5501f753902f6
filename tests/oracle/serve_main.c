/* oracle-serve: `heddle check`, again and again.  Most of what a small check takes is the start of
 * a process that is linked with LLVM; here that happens once, and every check is a fork of it.
 *
 * A request on stdin is its length in four bytes, then strings one behind the other, each with its
 * NUL: where stdout goes, the file to whose end stderr goes, the seconds the check may take, the
 * arguments of `heddle check`.  The answer on stdout is the exit status in four bytes, 128 + signal
 * for one that was killed.  Nothing else of tests/oracle knows heddle's code. */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES 65536
#define MOST_STRINGS 64

static int read_all(void *to, size_t n)
{
    char *at = to;
    while (n > 0) {
        ssize_t got = read(0, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        n -= (size_t)got;
    }
    return 0;
}

static void redirect(int fd, const char *path, int flags)
{
    int file = open(path, flags, 0666);
    if (file < 0 || dup2(file, fd) < 0)
        _exit(127);
    close(file);
}

static int check(char **strings, int n)
{
    redirect(0, "/dev/null", O_RDONLY);
    redirect(1, strings[0], O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, strings[1], O_WRONLY | O_CREAT | O_APPEND);
    setpgid(0, 0);
    alarm((unsigned)atoi(strings[2]));
    return hd_cmd_check(n - 3, strings + 3);
}

static int32_t serve(char *request, uint32_t length)
{
    char *strings[MOST_STRINGS + 1];
    int n = 0, status;
    for (uint32_t at = 0; at < length && n < MOST_STRINGS;
         at += (uint32_t)strlen(request + at) + 1)
        strings[n++] = request + at;
    strings[n] = NULL;
    pid_t pid = n > 3 ? fork() : -1;
    if (pid < 0)
        return -1;
    if (pid == 0)
        exit(check(strings, n));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void)
{
    static char request[MOST_BYTES + 1];
    uint32_t length;
    while (read_all(&length, sizeof length) == 0) {
        if (length > MOST_BYTES || read_all(request, length) != 0)
            return 2;
        request[length] = '\0';
        int32_t status = serve(request, length);
        if (write(1, &status, sizeof status) != (ssize_t)sizeof status)
            return 2;
    }
    return 0;
}
