#define _GNU_SOURCE
#include "server.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    exit(2);
}

void orc_server_start(struct orc_server *s, const char *program)
{
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
        die("oracle: socketpair");
    pid_t pid = fork();
    if (pid < 0)
        die("oracle: fork");
    if (pid == 0) {
        dup2(fds[1], 0);
        dup2(fds[1], 1);
        execl(program, program, (char *)NULL);
        perror(program);
        _exit(127);
    }
    close(fds[1]);
    s->fd = fds[0];
    s->pid = pid;
}

void orc_server_stop(struct orc_server *s)
{
    close(s->fd);
    waitpid(s->pid, NULL, 0);
}

static uint32_t append(char *request, uint32_t at, size_t room, const char *string)
{
    size_t n = strlen(string) + 1;
    if (at + n > room) {
        fputs("oracle: a request is too long\n", stderr);
        exit(2);
    }
    memcpy(request + at, string, n);
    return at + (uint32_t)n;
}

static void read_output(const char *path, struct orc_child *out)
{
    FILE *in = fopen(path, "r");
    long size = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : 0;
    out->output = calloc(1, (size_t)size + 1);
    if (!out->output)
        die("oracle");
    if (in) {
        rewind(in);
        out->n = fread(out->output, 1, (size_t)size, in);
        fclose(in);
    }
}

void orc_server_run(struct orc_server *s, char *const argv[], const char *executable,
                    const char *output, const char *errors, int seconds, struct orc_child *out)
{
    char request[8192], limit[16];
    uint32_t n = 0;
    int32_t status;
    snprintf(limit, sizeof limit, "%d", seconds);
    n = append(request, n, sizeof request, output);
    n = append(request, n, sizeof request, errors);
    n = append(request, n, sizeof request, limit);
    n = append(request, n, sizeof request, executable);
    for (int i = 1; argv[i]; i++)
        n = append(request, n, sizeof request, argv[i]);
    if (write(s->fd, &n, sizeof n) != (ssize_t)sizeof n ||
        write(s->fd, request, n) != (ssize_t)n ||
        recv(s->fd, &status, sizeof status, MSG_WAITALL) != (ssize_t)sizeof status) {
        fputs("oracle: the server has ended\n", stderr);
        exit(2);
    }
    *out = (struct orc_child){ .status = status };
    read_output(output, out);
}
