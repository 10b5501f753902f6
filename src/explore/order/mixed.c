#include "explore/order/mixed.h"

#include "core/touch.h"

bool hd_mixed_exchanged(struct hd_mixed *m, const struct hd_action *a, uint32_t thread)
{
    uint64_t end = a->object + a->size;
    uint32_t i = 0;
    while (i < m->n && (m->places[i].begin != a->object || m->places[i].end != end))
        i++;
    if (i == HD_MOST_MIXED) /* a full table is taken to meet every read */
        return false;
    if (i == m->n) {
        m->places[i].begin = a->object;
        m->places[i].end = end;
        m->places[i].thread = thread + 1;
        m->n++;
        return true;
    }
    if (m->places[i].thread == thread + 1 || m->places[i].thread == HD_MIXED_SEVERAL)
        return false;
    m->places[i].thread = HD_MIXED_SEVERAL;
    return true;
}

bool hd_mixed_reads(const struct hd_mixed *m, const struct hd_action *a, uint32_t thread)
{
    struct hd_touch ranges[2];
    if (hd_op_atomic((enum hd_op)a->op) || a->op == HD_OP_AWAIT)
        return false;
    if (m->n == HD_MOST_MIXED)
        return true;
    for (int k = 0, n = hd_touches(a, ranges); k < n; k++)
        for (uint32_t i = 0; i < m->n; i++)
            if (!ranges[k].writes && m->places[i].thread != thread + 1 &&
                ranges[k].begin < m->places[i].end && m->places[i].begin < ranges[k].end)
                return true;
    return false;
}
