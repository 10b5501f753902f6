/* The source of the program, as reports quote it. */
#ifndef HD_REPORT_SOURCE_H
#define HD_REPORT_SOURCE_H

#include "supervise/program.h"

/* The files that reports quote, read once each. */
struct hd_source {
    struct hd_source_file *files;
    size_t n;
    const char *directory;
};

/* `directory`: where relative paths are looked for if not in the current one. */
void hd_source_init(struct hd_source *source, const char *directory);
void hd_source_release(struct hd_source *source);

/* The line without its indentation, "" when the file cannot be read or has no such line. */
const char *hd_source_line(struct hd_source *source, const char *file, uint32_t line);

/* The same from the statement on that the place is in, if the line has several. */
const char *hd_source_statement(struct hd_source *source, const struct hd_place *place);

/* The nearest line above the place, and below line `after`, with a condition (if, else, while,
 * for, switch) under which the place stands, as the indentation shows; 0: none. */
uint32_t hd_source_guard(struct hd_source *source, const struct hd_place *place, uint32_t after);

#endif
