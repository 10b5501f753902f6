#include "core/dependence.h"

#include "core/touch.h"

/* The touches of memory alone, which follow those of synchronisation objects and threads. */
static int memory_touches(const struct hd_action *a, struct hd_touch out[2])
{
    int n = hd_touches(a, out);
    if (n && out[0].begin >= HD_TOUCH_THREAD) {
        out[0] = out[1];
        n--;
    }
    return n && out[0].begin >= HD_TOUCH_THREAD ? 0 : n;
}

/* Does the memory of a synchronisation object end that the other one uses? */
static bool ends_object(const struct hd_action *end, const struct hd_action *use, uint64_t at[2])
{
    struct hd_touch t[2];
    for (int i = 0, n = end->op == HD_OP_FREE ? hd_touches(use, t) : 0; i < n; i++) {
        uint64_t object = (t[i].begin & ~HD_TOUCH_SYNC) >> 3;
        if (object - end->object < end->size && hd_touch_uses(use, &t[i])) {
            if (at)
                at[0] = at[1] = object;
            return true;
        }
    }
    return false;
}

bool hd_action_race(const struct hd_action *a, const struct hd_action *b, uint64_t at[2])
{
    struct hd_touch ta[2], tb[2];
    if (ends_object(a, b, at) || ends_object(b, a, at))
        return true;
    if (hd_op_atomic((enum hd_op)a->op) && hd_op_atomic((enum hd_op)b->op))
        return false;
    if (a->op == HD_OP_AWAIT || b->op == HD_OP_AWAIT)
        return false; /* no access: the loop's reads are actions of their own */
    int na = memory_touches(a, ta), nb = memory_touches(b, tb);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if ((ta[i].writes || tb[j].writes) && ta[i].begin < tb[j].end &&
                tb[j].begin < ta[i].end) {
                if (at) {
                    at[0] = ta[i].begin;
                    at[1] = tb[j].begin;
                }
                return true;
            }
    return false;
}

/* The same, of any two actions. */
bool hd_action_overlaps(const struct hd_action *a, const struct hd_action *b)
{
    if (hd_op_table[a->op].access == HD_ACCESS_ALL || hd_op_table[b->op].access == HD_ACCESS_ALL)
        return true;
    if (a->op == HD_OP_EXIT ||
        b->op == HD_OP_EXIT) { /* mostly against what does not end with it */
        const struct hd_action *other = a->op == HD_OP_EXIT ? b : a;
        if (hd_op_table[other->op].space != HD_SPACE_THREAD && hd_action_touches_one(other) &&
            hd_action_off_stacks(other))
            return false;
    }
    struct hd_touch ta[HD_MAX_TOUCHES], tb[HD_MAX_TOUCHES];
    int na = hd_touches_all(a, ta), nb = hd_touches_all(b, tb);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if ((ta[i].writes || tb[j].writes) && ta[i].begin < tb[j].end &&
                tb[j].begin < ta[i].end)
                return true;
    return false;
}
