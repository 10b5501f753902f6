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

#endif
