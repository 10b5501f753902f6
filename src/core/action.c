#include "core/action.h"

/* One touched object of an action: a byte range of a space, and how it is touched. */
struct touch {
    uint64_t begin, end;
    uint8_t space;
    bool writes;
};

static int touches(const struct hd_action *a, struct touch out[2])
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    if (row->access == HD_ACCESS_NONE)
        return 0;
    uint64_t len = row->space == HD_SPACE_MEM ? a->size : 1;
    out[0] = (struct touch){ a->object, a->object + len, row->space,
                             row->access == HD_ACCESS_WRITE };
    if (a->op == HD_OP_WAIT) {
        out[1] = (struct touch){ a->object2, a->object2 + 1, HD_SPACE_SYNC, true };
        return 2;
    }
    if (a->op == HD_OP_COPY) {
        out[1] = (struct touch){ a->object2, a->object2 + a->size, HD_SPACE_MEM, false };
        return 2;
    }
    return 1;
}

bool hd_action_dependent(const struct hd_action *a, const struct hd_action *b)
{
    if (hd_op_table[a->op].access == HD_ACCESS_ALL || hd_op_table[b->op].access == HD_ACCESS_ALL)
        return true;
    struct touch ta[2], tb[2];
    int na = touches(a, ta), nb = touches(b, tb);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (ta[i].space == tb[j].space && (ta[i].writes || tb[j].writes) &&
                ta[i].begin < tb[j].end && tb[j].begin < ta[i].end)
                return true;
    return false;
}
