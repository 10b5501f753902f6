/* The values of a step as the source would write them: 2.5, 'a', true, RUNNING, "text",
 * node#1. */
#ifndef HD_REPORT_VALUE_H
#define HD_REPORT_VALUE_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Append what the step of the run has read or written; nothing when it is longer than the 8
 * bytes that a log has of it, and no text. */
void hd_value_read(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                   const struct hd_program *program);
void hd_value_written(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                      const struct hd_program *program);

/* The same for a variable that a failed assertion names, at the end of the run. */
void hd_value_shown(struct hd_str *out, const struct hd_shown *shown, const struct hd_run *run,
                    const struct hd_program *program);

/* Appends the name of the block that holds the object: "account#1", "block#2". */
void hd_value_block(struct hd_str *out, const struct hd_name *object, const struct hd_run *run,
                    const struct hd_program *program);

/* A value of `size` bytes whose type is not known: the name of the variable or function that it
 * points to, if it does and that has one, or a number. */
void hd_step_value(struct hd_str *out, uint64_t value, uint32_t size, const struct hd_run *run,
                   const struct hd_program *program);

#endif
