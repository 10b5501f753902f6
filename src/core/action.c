#include "core/action.h"

#include "core/touch.h"

bool hd_action_dependent(const struct hd_action *a, const struct hd_action *b)
{
    if (hd_op_table[a->op].access == HD_ACCESS_ALL || hd_op_table[b->op].access == HD_ACCESS_ALL)
        return true;
    struct hd_touch ta[2], tb[2];
    int na = hd_touches(a, ta), nb = hd_touches(b, tb);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if ((ta[i].writes || tb[j].writes) && ta[i].begin < tb[j].end &&
                tb[j].begin < ta[i].end)
                return true;
    return false;
}
