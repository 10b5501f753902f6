/* What is known of library functions: libc.def as a table. */
#ifndef HD_ANALYSE_LIBC_H
#define HD_ANALYSE_LIBC_H

#include <stdbool.h>
#include <stdint.h>

enum hd_libc_class {
    HD_LIBC_MODEL,  /* the runtime supplies it: only the call's site is passed */
    HD_LIBC_TOUCH,  /* touches the memory that its effects name, and nothing else */
    HD_LIBC_PURE,   /* touches nothing that a program can change */
    HD_LIBC_STATE,  /* also changes the library's own state: opaque, not named to the user */
    HD_LIBC_WORLD,  /* as STATE, and touches something outside the process: named to the user */
    HD_LIBC_EXPAND, /* rewritten into hooks by expand.c; `effects` is the recipe's name */
};

struct hd_libc {
    const char *name;
    enum hd_libc_class class;
    const char *effects;
};

enum hd_effect_kind {
    HD_EFFECT_READ,
    HD_EFFECT_WRITE,
    HD_EFFECT_USE,    /* the argument is used during the call only; another announces it */
    HD_EFFECT_FORMAT, /* a printf format; its arguments follow the last named one */
    HD_EFFECT_RESULT, /* the result points into the argument */
    HD_EFFECT_ERRNO,  /* may set errno; no argument */
    HD_EFFECT_HIDDEN, /* an object of the library's, announced by the runtime; no argument */
    HD_EFFECT_KEPT,   /* as USE, but the address is kept somewhere */
    HD_EFFECT_OPEN,   /* a stream or directory that must be open */
};

enum hd_extent { HD_EXTENT_BYTES, HD_EXTENT_STRING };

/* How much of the extent a call has written. */
enum hd_done {
    HD_DONE_ALL,
    HD_DONE_RESULT,      /* as many bytes as the result says, times argument `times` */
    HD_DONE_STRING,      /* a string, unless the result is 0 */
    HD_DONE_IF_ZERO,     /* all if the result is 0 */
    HD_DONE_IF_NOT_ZERO, /* all unless it is */
};

struct hd_effect {
    enum hd_effect_kind kind;
    uint32_t arg;
    bool nullable;
    bool writes; /* USE, KEPT: somebody may write there */
    bool exact;  /* … and tells which bytes it has written */
    enum hd_done done;
    int times; /* RESULT; < 0: 1 */
    enum hd_extent extent;
    uint64_t constant; /* bytes, when factor[0] < 0; STRING: no limit */
    int grows;         /* if that argument is not 0, they are `grown` bytes; < 0: none */
    uint64_t grown;
    int factor
        [2]; /* arguments whose product is the number of bytes (STRING: the limit); < 0: none */
};

/* NULL: not known. */
const struct hd_libc *hd_libc_find(const char *name);

/* Reads the next effect from *text and moves on; false at the end. */
bool hd_libc_effect(const char **text, struct hd_effect *effect);

/* May the callee, or what it returns, keep the address in that argument?  *derived: only the
 * result does. */
bool hd_libc_keeps(const struct hd_libc *row, uint32_t arg, bool *derived);

/* Which argument is a printf format; -1: none. */
int hd_libc_format(const struct hd_libc *row);

#endif
