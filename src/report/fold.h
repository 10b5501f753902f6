/* Which steps of a run a report leaves out: long stretches of one thread, stretches that
 * concern no other thread, the middle of a run that is too long as a whole, threads that only
 * create and join others, and those that ended before a deadlock and told the others nothing.
 * Steps that the report mentions elsewhere, and those that made the value which broke the
 * program, are never left out. */
#ifndef HD_REPORT_FOLD_H
#define HD_REPORT_FOLD_H

#include "report/cause.h"
#include "report/lin_calls.h"
#include "supervise/supervise.h"

/* Does the step say nothing, not even that it was left out? */
static inline bool hd_fold_is_silent(const struct hd_step *s)
{
    return s->op == HD_OP_SIGNAL_POINT_PASS;
}

/* By step: is it left out?  The caller frees.  `whole`: only what is around the calls of
 * heddle/lin.h is. */
bool *hd_fold(const struct hd_run *run, const struct hd_program *program,
              const struct hd_causes *causes, const struct hd_lin_calls *calls, bool whole);

/* Leaves out the creation and the joins of threads, too. */
void hd_fold_frames(const struct hd_run *run, bool *hidden);

/* Is there one place at which the program broke? */
bool hd_fold_breaks(const struct hd_run *run);

#endif
