/* The process of a program that is copied for each worker (runtime/fork_server.h).
 *
 *   none ──first start──▶ running ──start──▶ running … ──end──▶ none
 *            │ it does not answer, or the program is not suited
 *            ▼
 *          useless: every worker is a new process */
#ifndef HD_SUPERVISE_FORK_SERVER_H
#define HD_SUPERVISE_FORK_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct hd_fork_server {
    pid_t pid;                   /* 0: none runs */
    int line;                    /* the socket to it */
    char **args;                 /* with which it was started */
    bool judged;                 /* it is known whether the program is suited */
    bool useless;                /* it is not to be tried */
    bool randomised, unfiltered; /* as of a worker */
};

/* Copies the server, which is started before if none runs, for a worker with that descriptor of
 * shared memory, that one of what several workers share (-1: none), and so many threads.
 * Returns the number of the process, or 0: that is not possible, and one is to be started. */
pid_t hd_fork_server_copy(struct hd_fork_server *server, int memory, int tree, uint32_t n_parked,
                          const char *path, char *const *args);

void hd_fork_server_end(struct hd_fork_server *server); /* NULL is fine */

#endif
