/* What a violation goes back to, sentence by sentence, each with its place: where a block was
 * allocated and freed (hd_text_origin()), and where a value came from (report/cause.h). */
#ifndef HD_REPORT_BECAUSE_H
#define HD_REPORT_BECAUSE_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

typedef void hd_because_fn(void *to, const struct hd_place *place, const char *words);

/* Calls `each` for every sentence; a place without a line is not known. */
void hd_because(const struct hd_run *run, struct hd_program *program, hd_because_fn *each,
                void *to);

/* Appends all of them, each on a line of its own that begins with a line end. */
void hd_because_lines(struct hd_str *out, const struct hd_run *run, struct hd_program *program);

#endif
