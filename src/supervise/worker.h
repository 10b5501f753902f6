/* One worker process at a time, and the memory it shares with us (core/worker_memory.h).
 *
 *   init ──start──▶ running ──poll: ended──▶ idle ──start──▶ …           release, at any time
 *
 * The memory outlives the process: a worker that died is followed by one that goes on with
 * it. */
#ifndef HD_SUPERVISE_WORKER_H
#define HD_SUPERVISE_WORKER_H

#include "base/err.h"
#include "core/worker_memory.h"

#include <stdbool.h>
#include <sys/types.h>

struct hd_worker {
    int memory; /* the shared file */
    int tree;   /* the file that several workers share; -1: there is none */
    struct hd_worker_memory *shared;
    pid_t pid;       /* 0: none runs */
    int status;      /* of the last one, as waitpid gives it */
    bool copied;     /* it is a copy of the fork server */
    bool randomised; /* the kernel refused to switch off address randomisation */
    bool unfiltered; /* the kernel refused to filter its system calls (core/sandbox.h) */
    uint64_t peak_rss_kb;
};

/* The progress of a worker, from the kernel. */
struct hd_worker_usage {
    double cpu_seconds;
    bool sleeping; /* blocked, not just waiting for a processor */
};

/* Creates the memory with these options in it, and one known thread: main. */
int hd_worker_init(struct hd_worker *worker, const struct hd_options *options,
                   const struct hd_route *route, struct hd_err *err);

/* Before it starts: set what may follow (NULL: not known). */
void hd_worker_foresee(struct hd_worker *worker, const struct hd_foresight *foresight);
void hd_worker_release(struct hd_worker *worker); /* ends a running one */

struct hd_fork_server;

/* Starts `path` with `args` (NULL-terminated, args[0] is its name) on the memory.  `server` may
 * be NULL: then it is a new process in any case. */
int hd_worker_start(struct hd_worker *worker, struct hd_fork_server *server, const char *path,
                    char *const *args, struct hd_err *err);

/* Waits up to `milliseconds` for the worker to end.  True when it has. */
bool hd_worker_poll(struct hd_worker *worker, int milliseconds);

/* Waits up to `milliseconds` for one of the running workers to end. */
void hd_worker_wait_any(struct hd_worker *const *workers, uint32_t n, int milliseconds);

/* False when it is not known. */
bool hd_worker_usage(const struct hd_worker *worker, struct hd_worker_usage *usage);

/* The address of the instruction it is at; 0 when the kernel does not let us look, or when the
 * worker ended meanwhile (pid is 0 then).  It is stopped afterwards: hd_worker_kill() must
 * follow. */
uint64_t hd_worker_pc(struct hd_worker *worker);

void hd_worker_kill(struct hd_worker *worker); /* and waits for its end */

/* Update the checksum after a change of shared->options. */
void hd_worker_seal(struct hd_worker *worker);

#endif
