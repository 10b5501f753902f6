/* The words of a trace, line by line.  Strict: what it does not understand is an error that
 * names the line.  Words are decoded in place (a decoded word is never longer than what stood
 * there). */
#ifndef HD_REPORT_TRACE_WORDS_H
#define HD_REPORT_TRACE_WORDS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_words {
    const char *name; /* of the file, for messages */
    struct hd_err *err;
    char *next, *end; /* of the text, not yet cut into lines; with room for a NUL after it */
    char *at;         /* in the current line, NUL-terminated */
    uint32_t line;
};

/* Says what is wrong with the current line.  Returns -1. */
__attribute__((format(printf, 2, 3))) int hd_words_fail(struct hd_words *r, const char *format,
                                                        ...);

/* Cuts the next line out.  1, 0 at the end of the text, -1. */
int hd_words_line(struct hd_words *r);

/* The next word of the line: bare characters and "quoted" stretches.  1 with *word, 0 when the
 * line has no more, -1. */
int hd_words_next(struct hd_words *r, char **word);

/* The line has no more words. */
int hd_words_no_more(struct hd_words *r);

/* Is it a value as traces have them: a number, or a negative one? */
bool hd_words_is_value(const char *text);

#endif
