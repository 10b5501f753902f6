/* A set of short texts. */
#ifndef AX_LINES_H
#define AX_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct ax_lines {
    size_t n, room; /* room: a power of two, or 0 */
    char **slot;
    size_t repeated; /* how often a text was added that was there already */
};

/* The text is copied.  Returns whether it is new. */
bool ax_lines_add(struct ax_lines *s, const char *text);
bool ax_lines_has(const struct ax_lines *s, const char *text);

/* The texts in order, an array of s->n that the caller frees; the texts stay the set's. */
char **ax_lines_sorted(const struct ax_lines *s);

bool ax_lines_equal(const struct ax_lines *a, const struct ax_lines *b);
void ax_lines_release(struct ax_lines *s);

#endif
