/* oracle-serve: `heddle check`, again and again.  Most of what a small check takes is the start of
 * a process that is linked with LLVM, then reading the executable and what the analysis says of
 * it; here that happens once, and every check is a fork that has it.
 *
 * A request on stdin is its length in four bytes, then strings one after the other, each with its
 * NUL: where stdout goes, the file to whose end stderr goes, the seconds the check may take, the
 * executable, the arguments of `heddle check`.  The answer on stdout is the exit status in four bytes, 128 + signal
 * for one that was killed.  Nothing else of tests/oracle knows heddle's code. */
#include "cli/commands.h"
#include "cli/input.h"
#include "strategy/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES 65536
#define MOST_STRINGS 64
#define N_OWN 4 /* strings before the arguments */

/* The executable that the newest check was of. */
static struct hd_input input;

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
    int status = hd_check_opened(n - N_OWN, strings + N_OWN, input.program ? &input : NULL);
    fflush(NULL);
    return status;
}

/* Have it open, with all that is read of it at leisure: what foresight says, lines and types.
 * What goes wrong here is for the check to tell. */
static void have(const char *path)
{
    static const struct hd_options foresees = { .filters = HD_FILTER_HYBRID };
    const struct hd_foresight *foresight;
    struct hd_err err;
    struct hd_place place;
    struct hd_str element;
    uint64_t at;
    if (input.program && strcmp(hd_program_path(input.program), path) == 0)
        return;
    hd_input_close(&input);
    if (hd_program_open(&input.program, path, NULL, &err) != 0)
        return;
    hd_targets_foresight(&input.foreseen, input.program, &foresees, &foresight, &err);
    if (hd_program_function(input.program, "prog_0", &at, &err) == 0)
        hd_program_pc(input.program, at, &place);
    hd_str_init(&element);
    if (hd_program_variable(input.program, "g0", &at))
        hd_program_element(input.program, at, 0, &element);
    hd_str_release(&element);
}

static int32_t serve(char *request, uint32_t length)
{
    char *strings[MOST_STRINGS + 1];
    int n = 0, status;
    for (uint32_t at = 0; at < length && n < MOST_STRINGS;
         at += (uint32_t)strlen(request + at) + 1)
        strings[n++] = request + at;
    strings[n] = NULL;
    if (n <= N_OWN)
        return -1;
    have(strings[3]);
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0)
        _exit(check(strings, n));
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
