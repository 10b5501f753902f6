/* Finding one's way in C and C++ source text without a compiler: strings, comments and
 * brackets are seen, macros are not expanded.  Positions are bytes from the beginning of the
 * text. */
#ifndef HD_CLI_SOURCE_SCAN_H
#define HD_CLI_SOURCE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define HD_SCAN_ARGUMENTS 16
#define HD_SCAN_NOWHERE ((size_t)-1)

struct hd_scan {
    const char *text; /* NUL-terminated */
    size_t length;
};

/* From `begin` to before `end`, without white space around it. */
struct hd_scan_range {
    size_t begin, end;
};

struct hd_scan_call {
    struct hd_scan_range name;
    size_t open, close; /* the parentheses */
    size_t n;
    struct hd_scan_range arguments[HD_SCAN_ARGUMENTS];
};

/* The position of a line and column, both from 1; HD_SCAN_NOWHERE when there is none. */
size_t hd_scan_at(const struct hd_scan *s, unsigned line, unsigned column);

/* Past white space and comments. */
size_t hd_scan_skip(const struct hd_scan *s, size_t at);
/* Back over white space: where the text before `at` ends.  Comments are not crossed. */
size_t hd_scan_back(const struct hd_scan *s, size_t at);

/* The end of the identifier at `at`; `at` itself when there is none. */
size_t hd_scan_word(const struct hd_scan *s, size_t at);

/* The bracket that closes the one at `open`; HD_SCAN_NOWHERE when there is none. */
size_t hd_scan_match(const struct hd_scan *s, size_t open);

/* The call whose name is at `at`, perhaps after std::; false when there is none. */
bool hd_scan_call(const struct hd_scan *s, size_t at, struct hd_scan_call *call);

/* The variable, member or element whose name or closing bracket is at `at`, with all that it
 * is a part of (a.b[i]->c); `*p` from its star on.  False when it is not as simple as that.
 * */
bool hd_scan_lvalue(const struct hd_scan *s, size_t at, struct hd_scan_range *lvalue);

/* The same for what ends before `end`. */
bool hd_scan_lvalue_before(const struct hd_scan *s, size_t end, struct hd_scan_range *lvalue);

/* Where the text before `at` ends, without white space, comments and lines of the
 * preprocessor. */
size_t hd_scan_before(const struct hd_scan *s, size_t at);

/* Does a statement begin at `at`, as far as one can tell? */
bool hd_scan_begins(const struct hd_scan *s, size_t at);

/* The semicolon that ends the expression that begins at `at`; HD_SCAN_NOWHERE when a comma or
 * another end comes first. */
size_t hd_scan_semicolon(const struct hd_scan *s, size_t at);

#endif
