/* The byte ranges an action touches, with the spaces laid side by side in one address range: memory
 * as it is, every synchronisation object and thread as eight bytes of its own. */
#ifndef HD_CORE_TOUCH_H
#define HD_CORE_TOUCH_H

#include "core/action.h"
#include "core/enabled.h"

struct hd_touch {
    uint64_t begin, end;
    bool writes;
};

#define HD_TOUCH_SYNC (1ull << 63)
#define HD_TOUCH_THREAD (1ull << 62)

/* How many of out[] were filled in.  0 for actions that touch nothing, and for those that conflict
 * with everything. */
static inline int hd_touches(const struct hd_action *a, struct hd_touch out[2])
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    if (row->access == HD_ACCESS_NONE || row->access == HD_ACCESS_ALL)
        return 0;
    uint64_t space = row->space == HD_SPACE_SYNC     ? HD_TOUCH_SYNC
                     : row->space == HD_SPACE_THREAD ? HD_TOUCH_THREAD
                                                     : 0;
    uint64_t begin = space ? space | a->object << 3 : a->object;
    out[0] = (struct hd_touch){ begin, begin + (space ? 8 : a->size),
                                row->access == HD_ACCESS_WRITE };
    if (!a->object2)
        return 1;
    if (hd_op_gives_mutex((enum hd_op)a->op)) {
        begin = HD_TOUCH_SYNC | a->object2 << 3;
        out[1] = (struct hd_touch){ begin, begin + 8, true };
    } else if (a->op == HD_OP_AWAIT) {
        out[1] = (struct hd_touch){ a->object2, a->object2 + a->size2, false };
    } else {
        out[1] = (struct hd_touch){ a->object2, a->object2 + a->size,
                                    !hd_op_reads_second((enum hd_op)a->op) };
    }
    return 2;
}

#endif
