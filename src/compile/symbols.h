/* The symbols of one object, as a linker sees them. */
#ifndef HD_COMPILE_SYMBOLS_H
#define HD_COMPILE_SYMBOLS_H

#include "base/str.h"

struct hd_symbols {
    struct hd_strs strong; /* defined; twice in a program is an error */
    struct hd_strs weak;   /* defined, but others may win (weak, inline, common) */
    struct hd_strs wanted; /* used, not defined here */
};

static inline void hd_symbols_init(struct hd_symbols *s)
{
    hd_strs_init(&s->strong);
    hd_strs_init(&s->weak);
    hd_strs_init(&s->wanted);
}

static inline void hd_symbols_release(struct hd_symbols *s)
{
    hd_strs_release(&s->strong);
    hd_strs_release(&s->weak);
    hd_strs_release(&s->wanted);
}

#endif
