/* The parts of the HTML report: html.c writes violations, html_run.c their runs. */
#ifndef HD_REPORT_HTML_PAGE_H
#define HD_REPORT_HTML_PAGE_H

#include "report/report.h"

struct hd_html {
    struct hd_str *out;
    const struct hd_report *report; /* of the violation that is being written */
    bool several;                   /* programs */
    struct hd_strs files;           /* that steps are in; the page shows them */
};

uint32_t hd_html_file(struct hd_html *page, const char *name);

/* `before`, then the words as a JSON string. */
void hd_html_text(struct hd_html *page, const char *before, const char *words);

/* A run as an object.  With `race` the two accesses of its data race are its last steps. */
void hd_html_run(struct hd_html *page, const struct hd_run *run, bool race);

#endif
