/* Lines in the head of a trace for options that shape the program's steps and whose values are
 * words: faults, reuse, nondet, input, input-length. */
#ifndef HD_REPORT_TRACE_OPTIONS_H
#define HD_REPORT_TRACE_OPTIONS_H

#include "base/str.h"
#include "report/trace.h"

void hd_trace_options_write(struct hd_str *out, const struct hd_trace_head *head);

/* Take the text after the word.  Returns NULL, or what it should be. */
const char *hd_trace_option_read(struct hd_trace_head *head, const char *word, const char *text);

#endif
