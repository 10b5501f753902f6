/* Escapes untrusted text (names of a program, its messages, files of strangers): control
 * characters, invalid UTF-8 and characters that reorder or break lines become visible
 * escapes (\n, \x1b, \u202e), so that they neither move a terminal's cursor nor forge a line of
 * a report. */
#ifndef HD_BASE_SHOWN_H
#define HD_BASE_SHOWN_H

#include "base/str.h"

/* Does the text need no escapes? */
bool hd_shown_clean(const char *text);

/* Appends the text with its escapes. */
void hd_shown(struct hd_str *out, const char *text);
void hd_shown_bytes(struct hd_str *out, const char *text, size_t n);

/* The same with line ends and tabs left as they are: for sources and a program's output.  A
 * carriage return before a line end is dropped. */
void hd_shown_lines(struct hd_str *out, const char *text, size_t n);

/* The text with its escapes; the caller frees. */
char *hd_shown_dup(const char *text);

/* The same in an array of `room` bytes; what no longer fits is cut off. */
void hd_shown_array(char *text, size_t room);

#endif
