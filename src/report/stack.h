/* The calls that a thread stood in, in reports. */
#ifndef HD_REPORT_STACK_H
#define HD_REPORT_STACK_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Places from the innermost call outwards, at most `most`, without those in heddle's part of
 * the C++ library; returns how many are known. */
uint32_t hd_stack_places(const struct hd_run *run, struct hd_program *program, uint32_t stack,
                         struct hd_place *places, uint32_t most);

/* ", called at a.c:12 (main)" for every call, each after `before` instead of a comma when that
 * is given. */
void hd_stack_words(struct hd_str *out, const struct hd_run *run, struct hd_program *program,
                    uint32_t stack, const char *before);

/* Has one of the two halves of a data race, or the finding, calls to show? */
bool hd_stack_any(const struct hd_run *run, struct hd_program *program);

#endif
