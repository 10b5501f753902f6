/* The process of a strategy from outside, and the process that watches it.
 *
 * When the strategy's process ends before it is told to, the watching one says so in the
 * mailbox, and the worker gives up with that message. */
#ifndef HD_SUPERVISE_PLUGIN_HOST_H
#define HD_SUPERVISE_PLUGIN_HOST_H

#include "base/err.h"
#include "core/worker_memory.h"
#include "supervise/program.h"

#include <sys/types.h>

struct hd_plugin_host {
    pid_t pid; /* of the process that watches; 0: there is none */
};

/* Starts the strategy of shared->options, before the worker begins.  `seconds`: of processor
 * time that an answer may take. */
int hd_plugin_host_start(struct hd_plugin_host *host, struct hd_worker_memory *shared,
                         const struct hd_program *program, const struct hd_foresight *foresight,
                         double seconds, struct hd_err *err);
/* If the process that watches has been killed, there will be no answer: tells the worker.  To
 * be called now and then. */
void hd_plugin_host_look(struct hd_plugin_host *host, struct hd_worker_memory *shared);
/* Passes the turn to the strategy, with the question in the mailbox, and waits for the answer.
 * For a supervisor without a worker. */
int hd_plugin_host_ask(struct hd_plugin_host *host, struct hd_worker_memory *shared,
                       struct hd_err *err);
void hd_plugin_host_stop(struct hd_plugin_host *host); /* also if there is none */

#endif
