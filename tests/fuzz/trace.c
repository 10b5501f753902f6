/* libFuzzer target for the trace reader; run.sh builds and runs it.
 * tests/unit/test_trace_fuzz.c drives the same function with a mutator of its own. */
#include "report/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Any bytes are either refused with a line, or are steps of threads that exist. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct hd_trace trace;
    struct hd_err err = { "" };
    if (hd_trace_parse(&trace, "t", (const char *)bytes, n, &err) != 0) {
        if (strncmp(err.text, "t:", 2) != 0 || atoi(err.text + 2) < 1)
            abort();
        return 0;
    }
    for (uint32_t i = 0; i < trace.n_steps; i++) {
        const struct hd_step *s = &trace.steps[i].step;
        if (s->op >= HD_OP_COUNT || s->thread >= HD_MAX_THREADS ||
            (!trace.numbered && s->thread >= trace.threads.n) ||
            (s->object.where != HD_WHERE_NONE && s->object.thread >= trace.threads.n))
            abort();
    }
    hd_trace_release(&trace);
    return 0;
}
