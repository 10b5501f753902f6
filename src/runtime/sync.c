/* Synchronisation objects: found by their address, in a table of model memory.  An entry stays
 * until the undo log takes it back; destroying an object marks it. */
#include "runtime/rt.h"

#include "base/hash.h"

static struct hd_sync *slot_of(uint64_t addr)
{
    uint64_t i = (addr >> 3) * 0x9e3779b97f4a7c15ull >> 48;
    for (uint32_t tried = 0; tried < HD_MAX_SYNC; tried++, i = (i + 1) % HD_MAX_SYNC)
        if (model->sync[i].addr == addr || model->sync[i].addr == 0)
            return &model->sync[i];
    hd_fatal("the program uses more than %u synchronisation objects", HD_MAX_SYNC);
}

struct hd_sync *hd_sync_find(uint64_t addr)
{
    struct hd_sync *s = slot_of(addr);
    return s->addr == addr ? s : NULL;
}

struct hd_sync *hd_sync_make(uint64_t addr, enum hd_sync_kind kind)
{
    struct hd_sync *s = slot_of(addr);
    hd_log_range(s, sizeof *s);
    *s = (struct hd_sync){ .addr = addr, .kind = (uint16_t)kind, .owner = HD_NOBODY };
    return s;
}

void hd_set_enabled(uint32_t thread, bool enabled)
{
    if (enabled)
        hd_tset_add(&rt->config.enabled, thread);
    else
        hd_tset_del(&rt->config.enabled, thread);
}

void hd_sync_disable(const struct hd_tset *set, uint32_t but)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        rt->config.enabled.w[i] &= ~set->w[i];
    hd_tset_add(&rt->config.enabled, but);
}

void hd_sync_enable(const struct hd_tset *set)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        rt->config.enabled.w[i] |= set->w[i];
}
