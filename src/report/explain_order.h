/* The deciding orderings of a run, as text and as JSON. */
#ifndef HD_REPORT_EXPLAIN_ORDER_H
#define HD_REPORT_EXPLAIN_ORDER_H

#include "base/str.h"
#include "report/terminal.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Nothing when there are none. */
void hd_explain_order_text(const struct hd_terminal *text, const struct hd_run *run,
                           struct hd_program *program);

/* Appends "[…]": an object per ordering. */
void hd_explain_order_json(struct hd_str *out, const struct hd_run *run,
                           struct hd_program *program);

/* Appends "main's signal of c at a.c:9 (step 3) had woken T1"; false: no such wake is known. */
bool hd_explain_order_wake(struct hd_str *out, const struct hd_run *run,
                           struct hd_program *program);

/* Appends "T1's write of x at a.c:3": a step as the subject of a sentence.  `at`: its place in
 * the log, ~0u when the run did not come to it. */
void hd_explain_order_step(struct hd_str *out, const struct hd_step *step, uint32_t at,
                           const struct hd_run *run, struct hd_program *program);

#endif
