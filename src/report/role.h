/* What a thread is for: the name that the program gives it, or the function that it runs. */
#ifndef HD_REPORT_ROLE_H
#define HD_REPORT_ROLE_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Appends it; false and nothing when it is not known, or is main. */
bool hd_role(struct hd_str *out, uint32_t thread, const struct hd_run *run,
             const struct hd_program *program);

/* Appends "T3 loader", or the thread's name alone. */
void hd_role_thread(struct hd_str *out, uint32_t thread, const struct hd_run *run,
                    const struct hd_program *program);

#endif
