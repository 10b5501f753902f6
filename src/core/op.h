/* The vocabulary of visible operations; op.def is the table. */
#ifndef HD_CORE_OP_H
#define HD_CORE_OP_H

#include <stdint.h>

/* Asked several times in every step: where the compiler takes a place for a rare one, it would not
 * inline it. */
#define HD_HOT static inline __attribute__((always_inline))
/* … of another file: the runtime's explorer is one module. */
#define HD_HOT_ABROAD __attribute__((always_inline))
/* A rare turn of what is hot: it keeps the registers, so that the caller need not. */
#define HD_RARE __attribute__((noinline, preserve_most))

enum hd_op {
#define HD_OP(name, text, access, space) HD_OP_##name,
#include "core/op.def"
#undef HD_OP
    HD_OP_COUNT
};

enum hd_access { HD_ACCESS_NONE, HD_ACCESS_READ, HD_ACCESS_WRITE, HD_ACCESS_ALL };
enum hd_space { HD_SPACE_NONE, HD_SPACE_MEM, HD_SPACE_SYNC, HD_SPACE_THREAD };

struct hd_op_row {
    const char *text;
    uint8_t access; /* enum hd_access */
    uint8_t space;  /* enum hd_space */
};

extern const struct hd_op_row hd_op_table[HD_OP_COUNT];

enum hd_op_trait { /* or'ed; core/enabled.h has the questions that they answer */
                   HD_OP_BLOCKS = 1,
                   HD_OP_TURNS_OUT = 2, /* maybe as the row behind it */
};

extern const uint8_t hd_op_traits[HD_OP_COUNT];

/* Of an operation that touches its first object and nothing else, if it has no second: twice its
 * space, and one more if it writes.  0: of others. */
extern const uint8_t hd_op_class[HD_OP_COUNT];

/* The operation with that text, or HD_OP_COUNT. */
enum hd_op hd_op_by_text(const char *text);

#endif
