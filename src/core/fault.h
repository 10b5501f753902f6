/* Faults that can be explored (--faults): for a call that may fail for reasons outside the
 * program, both outcomes are explored.  The outcome is a choice of a step, like that of
 * heddle_choose.
 *
 * At most `most` calls fail in an execution.  The number of failures in a run does not depend
 * on the order of independent steps, so this bound, unlike one on preemptions, cuts whole
 * traces and the reductions stay complete below it. */
#ifndef HD_CORE_FAULT_H
#define HD_CORE_FAULT_H

#include "core/op.h"

#include <stdbool.h>
#include <stddef.h>

#define HD_FAULTS(X)                                                                             \
    X(MALLOC, "malloc")                                                                          \
    X(IO, "io")                                                                                  \
    X(CREATE, "create")                                                                          \
    X(CAS, "cas")

enum hd_fault_kind {
#define X(name, text) HD_FAULT_##name,
    HD_FAULTS(X)
#undef X
        HD_FAULT_COUNT
};

#define HD_MAX_FAULTS 100 /* in an execution */

struct hd_faults {
    uint32_t kinds; /* 1 << enum hd_fault_kind, or'ed; 0: no call fails */
    uint32_t most;  /* failures in an execution */
};

/* The step that decides whether the call fails. */
enum hd_op hd_fault_op(enum hd_fault_kind kind);

static inline bool hd_op_is_fault(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_FAULT; }

/* "malloc,io:2"; without a number one failure.  False: it is not of that form. */
bool hd_faults_parse(const char *text, struct hd_faults *faults);
/* The text that hd_faults_parse() reads; `size` of 40 is enough. */
void hd_faults_text(const struct hd_faults *faults, char *text, size_t size);

#endif
