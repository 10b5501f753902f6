/* The stronger memory orders that make a run impossible, as text and as JSON. */
#ifndef HD_REPORT_EXPLAIN_MEMORY_H
#define HD_REPORT_EXPLAIN_MEMORY_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/result.h"

/* Appends sentences, each with its lines; nothing when there are none. */
void hd_explain_memory_text(struct hd_str *out, const struct hd_run *run,
                            const struct hd_program *program);

/* Appends one of them as a sentence in one line: "If …, this run could not happen." */
void hd_explain_memory_remedy(struct hd_str *out, const struct hd_remedy *remedy,
                              const struct hd_run *run, const struct hd_program *program);

/* Appends "[[…], …]": a list of changes for each remedy. */
void hd_explain_memory_json(struct hd_str *out, const struct hd_run *run,
                            const struct hd_program *program);

#endif
