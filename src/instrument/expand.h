/* Library functions that are rewritten into hooks, because a hook before a native call could
 * not describe its effects exactly, or because it accesses several places and another thread
 * may run in between. */
#ifndef HD_INSTRUMENT_EXPAND_H
#define HD_INSTRUMENT_EXPAND_H

#include "instrument/call.h"

enum hd_expanded {
    HD_EXPANDED_NOT,      /* not possible here: treat the call as one of unknown effect */
    HD_EXPANDED_LEFT,     /* the call stays; its effects have been announced */
    HD_EXPANDED_REPLACED, /* the call is gone */
};

/* Carries out a recipe of libc.def. */
enum hd_expanded hd_expand(struct hd_call *c, const char *recipe);

/* qsort: a copy of the array is sorted by code of our own (sort.c) and written back. */
enum hd_expanded hd_expand_sort(struct hd_call *c);

/* The recipes for the C library's atomics. */
enum hd_expanded hd_expand_atomic(struct hd_call *c, const char *recipe);

#endif
