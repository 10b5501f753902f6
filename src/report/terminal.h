/* A terminal: a stream, its width, and whether it has colours. */
#ifndef HD_REPORT_TERMINAL_H
#define HD_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct hd_terminal {
    FILE *out;
    unsigned width;
    bool colour;
    bool whole; /* nothing is folded */
    bool known; /* the width is somebody's: sentences are wrapped to it */
};

/* For that stream: its terminal's width, otherwise COLUMNS of the environment, or 100; colour
 * only on a terminal, and not with NO_COLOR in the environment. */
struct hd_terminal hd_terminal_for(FILE *out);

/* Escape sequences, "" without colour. */
const char *hd_terminal_bold(const struct hd_terminal *text);
const char *hd_terminal_bad(const struct hd_terminal *text);
const char *hd_terminal_good(const struct hd_terminal *text);
const char *hd_terminal_dim(const struct hd_terminal *text);
const char *hd_terminal_plain(const struct hd_terminal *text);

/* Prints the lines of the text, which ends in a line end.  If the width is known, those that
 * are longer go on in the next one, further to the right. */
void hd_terminal_print(const struct hd_terminal *text, const char *lines);

/* The same for what the format makes, and a line end. */
void hd_terminal_line(const struct hd_terminal *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many bytes of the text fit into that many characters of a line: up to a blank, or to
 * another place at which a name may be broken.  Escape sequences have no width. */
size_t hd_terminal_break(const char *words, unsigned width);

/* Bytes of the first `width` characters. */
size_t hd_terminal_bytes(const char *words, unsigned width);

/* Characters of UTF-8. */
unsigned hd_terminal_length(const char *words);

#endif
