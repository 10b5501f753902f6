#include "core/pack_parts.h"

#include "core/worker_memory.h"

void hd_pack_action(struct hd_pack *p, struct hd_action *action)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_action, op),      HD_FIELD(struct hd_action, object),
        HD_FIELD(struct hd_action, object2), HD_FIELD(struct hd_action, size),
        HD_FIELD(struct hd_action, site),    HD_FIELD(struct hd_action, order),
        HD_FIELD(struct hd_action, choices), HD_FIELD(struct hd_action, size2),
    };
    HD_PACK_FIELDS(p, action, fields);
    bool unknown = action->op >= HD_OP_COUNT;
    bool nobody = !unknown && hd_op_simple[action->op] >= HD_SIMPLE_THREAD &&
                  action->object >= HD_MAX_THREADS;
    if (p->reading && (unknown || nobody)) {
        hd_pack_refuse(p);
        action->op = HD_OP_NONE;
    }
}

void hd_pack_thread(struct hd_pack *p, uint32_t *thread)
{
    hd_pack_u32(p, thread, HD_MAX_THREADS - 1);
}

void hd_pack_step(struct hd_pack *p, uint32_t *step)
{
    hd_pack_u32(p, step, UINT32_MAX);
    if (p->reading && HD_STEP_THREAD(*step) >= HD_MAX_THREADS) {
        hd_pack_refuse(p);
        *step = 0;
    }
}

void hd_pack_set(struct hd_pack *p, struct hd_tset *set)
{
    uint32_t n = HD_TSET_WORDS;
    while (!p->reading && n && !set->w[n - 1])
        n--;
    hd_pack_u32(p, &n, HD_TSET_WORDS);
    if (p->reading)
        hd_tset_clear(set);
    for (uint32_t i = 0; i < n; i++)
        hd_pack_u64(p, &set->w[i]);
}

void hd_pack_words(struct hd_pack *p, uint64_t *words, uint64_t n)
{
    hd_pack_bytes(p, words, 8 * n);
}
