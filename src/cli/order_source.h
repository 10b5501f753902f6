/* A source file whose memory orders are changed.  Lines stay lines: places keep their
 * numbers. */
#ifndef HD_CLI_ORDER_SOURCE_H
#define HD_CLI_ORDER_SOURCE_H

#include "base/err.h"
#include "base/str.h"
#include "cli/order_places.h"

struct hd_order_edit {
    size_t at, removed; /* bytes of the text */
    char *inserted;
    uint32_t place;
};

struct hd_order_source {
    char *path; /* as the program names it */
    bool cxx;
    struct hd_str text;
    struct hd_order_edit *edits;
    size_t n, room;
};

int hd_order_source_init(struct hd_order_source *s, const char *path, struct hd_err *err);
void hd_order_source_release(struct hd_order_source *s);

/* The orders that a place is to have, as variables have them; `failure` of a
 * compare-exchange. */
struct hd_order_wanted {
    uint32_t order, failure;
};

/* Adds the edits that give the place these orders.  Returns NULL, or why it cannot be done;
 * then nothing is added. */
const char *hd_order_source_edit(struct hd_order_source *s, uint32_t number,
                                 const struct hd_order_place *place,
                                 struct hd_order_wanted wanted);

/* Takes back the edits of a place. */
void hd_order_source_undo(struct hd_order_source *s, uint32_t number);

/* Appends the changed text. */
void hd_order_source_text(struct hd_order_source *s, struct hd_str *out);

/* order_diff.c: appends a unified diff of the file, called `name`. */
void hd_order_source_diff(struct hd_order_source *s, const char *name, struct hd_str *out);

#endif
