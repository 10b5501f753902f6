/* A trace file, ready to be run again with the program it is of. */
#ifndef HD_CLI_RERUN_H
#define HD_CLI_RERUN_H

#include "cli/input.h"
#include "report/trace.h"
#include "supervise/supervise.h"

struct hd_rerun {
    struct hd_strs args;
    struct hd_step *steps;
    struct hd_route *route;
    struct hd_job job;       /* points into this and into the input */
    struct hd_script script; /* points into this and into the trace */
};

/* `path` is the trace's, for messages; `program` is the name of a bare schedule's program.
 * With `changed` (hd_trace_changed()) the script is not bound to the program: threads and
 * choices alone, for hd_follow().  Returns 0, or -1 with err; to be released in any case. */
int hd_rerun_init(struct hd_rerun *rerun, const struct hd_trace *trace, const char *path,
                  const struct hd_input *input, const char *program, bool changed,
                  struct hd_err *err);
/* Does the memory model of the trace allow what it made the program do? */
int hd_rerun_allowed(const struct hd_trace *trace, const char *path, const struct hd_run *run,
                     struct hd_err *err);
void hd_rerun_release(struct hd_rerun *rerun);

#endif
