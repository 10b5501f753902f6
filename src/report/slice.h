/* Slices and static warnings as text, JSON and HTML. */
#ifndef HD_REPORT_SLICE_H
#define HD_REPORT_SLICE_H

#include "analyse/query.h"
#include "base/str.h"

struct hd_slice_report {
    const char *version, *program;
    const struct hd_strs *targets;
    bool whole;
    const struct hd_sliced *sliced;
};

void hd_slice_text(struct hd_str *out, const struct hd_slice_report *report);
void hd_slice_json(struct hd_str *out, const struct hd_slice_report *report);
void hd_slice_html(struct hd_str *out, const struct hd_slice_report *report);

void hd_warnings_text(struct hd_str *out, const struct hd_warned_list *list);
void hd_warnings_json(struct hd_str *out, const char *version, const char *program,
                      const struct hd_warned_list *list);

/* The source of a line as it is indented: "" when it can't be read.  One file is kept at a
 * time; hd_listing_release() forgets them. */
struct hd_listing {
    const char *path; /* the file in `text` */
    struct hd_str text;
    const char **lines;
    size_t n;
};
void hd_listing_init(struct hd_listing *source);
void hd_listing_release(struct hd_listing *source);
const char *hd_listing_line(struct hd_listing *source, const char *path, uint32_t line);

/* How line `line` of the file stands in the thread's slice; NULL: it is not in it. */
const struct hd_sliced_line *hd_slice_find(const struct hd_sliced_thread *thread,
                                           const char *file, uint32_t line);

#endif
