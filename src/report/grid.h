/* A table with a column for each thread, a row at a time: the gutter, then text in one of the
 * columns, wrapped to its width.  Columns are as wide as their text needs and the terminal has
 * room for.  If there are too many, all threads share one column. */
#ifndef HD_REPORT_GRID_H
#define HD_REPORT_GRID_H

#include "core/action.h"
#include "report/terminal.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_GRID_GUTTER 8 /* step number, mark of a preemption */
#define HD_GRID_BAR 2    /* characters for the bar of a call */
#define HD_GRID_NONE (~0u)

struct hd_grid {
    const struct hd_terminal *text;
    uint32_t column[HD_MAX_THREADS]; /* by thread; HD_GRID_NONE: it has none */
    uint32_t n;                      /* columns */
    unsigned need[HD_MAX_THREADS];   /* by thread: characters of its longest row */
    unsigned begin[HD_MAX_THREADS], width[HD_MAX_THREADS]; /* by column */
    bool shared;                                           /* one column for all */
    bool bars;                    /* in front of the text is room for the bar of a call */
    bool in_call[HD_MAX_THREADS]; /* by thread, at the current row: it has a bar */
};

/* The rows of a thread: from the first to behind the last; `end` 0: it has none. */
struct hd_span {
    uint32_t begin, end;
};

/* Gives columns to the threads that have rows. */
void hd_grid_init(struct hd_grid *grid, const struct hd_terminal *text,
                  const struct hd_span *spans);

/* Would columns be too narrow to read well? */
bool hd_grid_is_narrow(const struct hd_grid *grid);

/* Lets threads whose rows do not overlap have one column. */
void hd_grid_share(struct hd_grid *grid, const struct hd_span *spans);

/* A row of the thread will have that text. */
void hd_grid_need(struct hd_grid *grid, uint32_t thread, const char *words);

/* Says how wide the columns are; all rows have been announced. */
void hd_grid_lay_out(struct hd_grid *grid);

struct hd_grid_row {
    const char *gutter; /* of the first line */
    uint32_t thread;
    bool at_bar;     /* it begins where the bar of a call is */
    unsigned indent; /* of the text */
    unsigned hang;   /* of the lines that follow the first one */
    unsigned most;   /* lines; the rest is cut.  0: nothing is cut */
    const char *paint;
};

void hd_grid_row(const struct hd_grid *grid, const struct hd_grid_row *row, const char *words);
void hd_grid_blank(const struct hd_grid *grid);

#endif
