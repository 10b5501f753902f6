#define _GNU_SOURCE
#include "supervise/fork_server.h"

#include "core/worker_memory.h"
#include "supervise/worker_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* No code of the program runs before the server answers, so this is long. */
#define PATIENCE_MS 5000

static bool send_memory(int line, int memory, int tree, uint32_t n_parked)
{
    struct iovec data = { &n_parked, sizeof n_parked };
    int fds[2] = { memory, tree };
    size_t bytes = tree >= 0 ? sizeof fds : sizeof *fds;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof fds)];
    } room = { 0 };
    room.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(bytes),
                                  .cmsg_level = SOL_SOCKET,
                                  .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(&room.head), fds, bytes);
    struct msghdr message = { .msg_iov = &data,
                              .msg_iovlen = 1,
                              .msg_control = &room,
                              .msg_controllen = CMSG_SPACE(bytes) };
    return sendmsg(line, &message, MSG_NOSIGNAL) == sizeof n_parked;
}

/* Whatever the number says, no other process is waited for, or killed. */
static bool is_child(pid_t pid)
{
    siginfo_t ignored;
    return waitid(P_PID, (id_t)pid, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* The number of the process that was made; 0: it does not answer. */
static pid_t receive_number(int line)
{
    struct pollfd end = { .fd = line, .events = POLLIN };
    int32_t pid;
    int ready;
    do
        ready = poll(&end, 1, PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    bool got = ready == 1 && read(line, &pid, sizeof pid) == sizeof pid;
    return got && pid > 0 && is_child(pid) ? pid : 0;
}

/* Ends copies that have told their numbers too late. */
static void end_unasked(int line)
{
    int32_t pid;
    while (recv(line, &pid, sizeof pid, MSG_DONTWAIT) == sizeof pid)
        if (pid > 0 && is_child(pid)) {
            kill(pid, SIGKILL);
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                ;
        }
}

static char **copy_args(char *const *args)
{
    size_t n = 0;
    while (args[n])
        n++;
    char **copy = hd_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = hd_strdup(args[i]);
    return copy;
}

static bool same_args(char *const *a, char *const *b)
{
    for (; *a && *b && strcmp(*a, *b) == 0; a++, b++)
        ;
    return !*a && !*b;
}

static bool launch(struct hd_fork_server *server, const char *path, char *const *args)
{
    int ends[2];
    struct hd_err err;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    struct hd_new_process process = { .path = path,
                                      .args = args,
                                      .variable = HD_ENV_SERVER,
                                      .descriptor = ends[1],
                                      .extra = -1,
                                      .served = true };
    int failed = hd_new_process_start(&process, &err);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return false;
    }
    server->pid = process.pid;
    server->line = ends[0];
    server->randomised = process.randomised;
    server->unfiltered = process.unfiltered;
    server->args = copy_args(args);
    return true;
}

pid_t hd_fork_server_copy(struct hd_fork_server *server, int memory, int tree, uint32_t n_parked,
                          const char *path, char *const *args)
{
    if (server->pid && !same_args(args, server->args))
        hd_fork_server_end(server);
    if (server->useless || (!server->pid && !launch(server, path, args)))
        return 0;
    bool sent = send_memory(server->line, memory, tree, n_parked);
    pid_t pid = sent ? receive_number(server->line) : 0;
    if (!pid) {
        hd_fork_server_end(server);
        server->useless = true;
    }
    return pid;
}

void hd_fork_server_end(struct hd_fork_server *server)
{
    if (!server || !server->pid)
        return;
    kill(-server->pid, SIGKILL);
    while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    shutdown(server->line, SHUT_RD); /* a copy that has not told its number yet ends itself */
    end_unasked(server->line);
    close(server->line);
    for (char **arg = server->args; *arg; arg++)
        free(*arg);
    free(server->args);
    server->args = NULL;
    server->pid = 0;
}
