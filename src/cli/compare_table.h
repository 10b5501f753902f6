/* The tables of `heddle compare`: runs of columns on programs, and how they are shown. */
#ifndef HD_CLI_COMPARE_TABLE_H
#define HD_CLI_COMPARE_TABLE_H

#include "base/str.h"
#include "core/counters.h"
#include "report/verdict.h"

/* One exploration. */
struct hd_compared_run {
    uint64_t seed; /* 0: the strategy draws nothing, or has the seed of its name */
    enum hd_verdict verdict;
    const char *kind; /* of what it found; NULL: nothing */
    struct hd_counters counters;
    double seconds;
    uint64_t kb;
};

/* One column: one run, or several with different seeds. */
struct hd_compared {
    const char *strategy;
    char why[200]; /* it could not be run; "" otherwise */
    struct hd_compared_run *runs;
    uint32_t n;
};

/* All columns on one program. */
struct hd_compared_program {
    char *name;
    struct hd_compared *rows;
    size_t n;
};

struct hd_comparison {
    struct hd_compared_program *programs;
    size_t n;
    bool folder;      /* programs of a folder, whose names stand in the documents */
    uint32_t measure; /* what the plot and the summary of a folder show: index of hd_measures */
};

/* What is counted; `word` is its name in --measure and in documents. */
struct hd_measure {
    const char *word, *title;
    double (*value)(const struct hd_compared_run *run);
};
#define HD_N_MEASURES 8
extern const struct hd_measure hd_measures[HD_N_MEASURES];

/* The index of a measure; HD_N_MEASURES: there is none of that name. */
uint32_t hd_measure_find(const char *word);

/* Of several: the numbers of all runs.  `deviation` is that of the sample, 0 for one run. */
struct hd_compared_spread {
    double mean, deviation, least, most;
};

void hd_compared_spread(const struct hd_compared *c, const struct hd_measure *measure,
                        struct hd_compared_spread *spread);

/* How many runs found a violation. */
uint32_t hd_compared_found(const struct hd_compared *c);

/* Is the search space of every run exhausted?  A number of one that is not says only how far it
 * came. */
bool hd_compared_finished(const struct hd_compared *c);

/* Lines for the terminal; `width` is that of the names, `several`: there are columns with more
 * than one run. */
void hd_compared_print_head(int width, bool several);
void hd_compared_print(const struct hd_compared *c, int width, bool several);
/* Of a folder: a line for each program, a number for each column. */
void hd_compared_print_summary(const struct hd_comparison *all);

/* Whole documents, appended. */
void hd_compared_json(struct hd_str *out, const struct hd_comparison *all);
void hd_compared_csv(struct hd_str *out, const struct hd_comparison *all);
void hd_compared_latex(struct hd_str *out, const struct hd_comparison *all);
/* Bars on a logarithmic scale: a group for each program, a bar for each column. */
void hd_compared_svg(struct hd_str *out, const struct hd_comparison *all);

#endif
