/* Stale reads, and memory orders, in words. */
#ifndef HD_REPORT_STALE_H
#define HD_REPORT_STALE_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/result.h"

/* "relaxed", "acquire", …: the order of the step, if it has these bits of
 * core/memory_order.h, too. */
const char *hd_stale_order(const struct hd_step *step, uint32_t bits);

/* Appends "the store of ready at a.c:9".  `file`: places in it are given as ":9"; NULL: in
 * none. */
void hd_stale_access(struct hd_str *out, uint32_t step, const char *file,
                     const struct hd_run *run, const struct hd_program *program);

/* Appends "T1's data = 42": what the step has stored. */
void hd_stale_store(struct hd_str *out, uint32_t step, const struct hd_run *run,
                    const struct hd_program *program);

/* Appends what the stale step reads instead of which store, and why that is possible: "reads
 * the initial value; T1's data = 42 (step 3) need not be visible: …". */
void hd_stale_words(struct hd_str *out, const struct hd_stale *stale, const struct hd_run *run,
                    const struct hd_program *program);

/* Appends "[…]": an object for every stale step. */
void hd_stale_json(struct hd_str *out, const struct hd_run *run,
                   const struct hd_program *program);

#endif
