/* How a process of the tested program is started: alone in its group, at fixed addresses, with
 * nothing to read or to write. */
#ifndef HD_SUPERVISE_WORKER_PROCESS_H
#define HD_SUPERVISE_WORKER_PROCESS_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct hd_new_process {
    const char *path;
    char *const *args;
    const char *variable;  /* of its environment, which names the descriptor */
    int descriptor, extra; /* that it inherits; -1: there is none */
    bool served; /* it filters system calls itself: no code of the program runs before */
    pid_t pid;   /* from here on: what has become of it */
    bool randomised, unfiltered; /* hd_worker */
};

/* Returns 0, or -1 with err: no process is there then. */
int hd_new_process_start(struct hd_new_process *process, struct hd_err *err);

#endif
