/* What the parts of the renderer share. */
#ifndef ORC_RENDER_PARTS_H
#define ORC_RENDER_PARTS_H

#include "program.h"

#include <stdio.h>

struct text {
    FILE *out;
    uint32_t line;
    uint32_t index; /* of the program: part of every name */
    uint32_t indent;
    uint32_t loops;
    struct orc_program *p;
};

struct name {
    char s[48];
};

/* render.c */
__attribute__((format(printf, 2, 3))) void orc_put(struct text *x, const char *fmt, ...);
struct name orc_place(const struct text *x, struct orc_ref r);
struct name orc_value(const struct orc_expr *e, uint32_t size); /* for bytes of that size */

/* render_atomic.c: an atomic access, or a fence. */
void orc_put_atomic(struct text *x, const struct orc_stmt *s);

#endif
