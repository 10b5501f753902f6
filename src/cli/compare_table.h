/* The table of `heddle compare`: runs of strategies, and how they are shown. */
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

/* One strategy: one run, or several with different seeds. */
struct hd_compared {
    const char *strategy;
    char why[200]; /* it could not be run; "" otherwise */
    struct hd_compared_run *runs;
    uint32_t n;
};

/* Of several: the numbers of all runs.  `deviation` is that of the sample, 0 for one run. */
struct hd_compared_spread {
    double mean, deviation, least, most;
};

void hd_compared_spread(const struct hd_compared *c,
                        double (*value)(const struct hd_compared_run *run),
                        struct hd_compared_spread *spread);

/* Lines for the terminal; `several`: there are strategies with more than one run. */
void hd_compared_print_head(bool several);
void hd_compared_print(const struct hd_compared *c, bool several);

/* Whole documents, appended. */
void hd_compared_json(struct hd_str *out, const struct hd_compared *rows, size_t n);
void hd_compared_csv(struct hd_str *out, const struct hd_compared *rows, size_t n);
void hd_compared_latex(struct hd_str *out, const struct hd_compared *rows, size_t n);

#endif
