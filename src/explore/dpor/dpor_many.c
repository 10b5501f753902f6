/* Which thread runs next, where there may be more than 64: the rules of dpor.c, which has sets
 * of one word, for sets of several. */
#include "explore/dpor/dpor.h"

static uint32_t words_of(const struct hd_explorer *ex)
{
    return hd_tset_words(ex->world.config->n_threads);
}

void hd_dpor_awake_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                              struct hd_tset *awake)
{
    const struct hd_tset *asleep = &d->sleep.asleep[ex->path.depth];
    hd_tset_clear(&d->sleep.wakeful[ex->path.depth]);
    for (uint32_t i = 0; i < words_of(ex); i++)
        awake->w[i] = ex->world.config->enabled.w[i] & ~asleep->w[i];
}

bool hd_dpor_many_have_moved(const struct hd_dpor *d, const struct hd_explorer *ex)
{
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < words_of(ex); i++)
        fresh |= ex->world.config->enabled.w[i] & ~d->hb.moved.w[i];
    return !fresh;
}

/* The last thread that is awake and has not started; HD_NO_SINGLE if all have. */
static uint32_t unstarted(const struct hd_dpor *d, const struct hd_explorer *ex,
                          const struct hd_tset *awake)
{
    const struct hd_action *next = ex->world.config->next;
    for (uint32_t i = words_of(ex); i-- > 0;)
        for (uint64_t w = awake->w[i] & ~d->hb.moved.w[i]; w;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(w), thread = 64 * i + bit;
            if (next[thread].op == HD_OP_START)
                return thread;
            w &= ~(1ull << bit);
        }
    return HD_NO_SINGLE;
}

/* The first thread that is not about to join another; the first if all are. */
static uint32_t first_of(const struct hd_explorer *ex, const struct hd_tset *awake)
{
    uint32_t joins = HD_NO_SINGLE;
    for (uint32_t i = 0; i < words_of(ex); i++)
        for (uint64_t w = awake->w[i]; w; w &= w - 1) {
            uint32_t thread = 64 * i + (uint32_t)__builtin_ctzll(w);
            if (ex->world.config->next[thread].op != HD_OP_JOIN)
                return thread;
            joins = joins == HD_NO_SINGLE ? thread : joins;
        }
    return joins;
}

uint32_t hd_dpor_single_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                                   const struct hd_tset *awake)
{
    const struct hd_config *config = ex->world.config;
    if (hd_dpor_was_alone(ex))
        return HD_NO_SINGLE;
    uint32_t fresh = unstarted(d, ex, awake), last = config->last;
    if (fresh != HD_NO_SINGLE)
        return fresh;
    if (hd_tset_has(awake, last) && hd_dpor_op_goes_on(config->next[last].op))
        return last;
    return first_of(ex, awake);
}

bool hd_dpor_goes_on_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                                uint32_t thread, const struct hd_tset *awake)
{
    if (unstarted(d, ex, awake) != HD_NO_SINGLE)
        return false;
    if (hd_dpor_op_goes_on(ex->world.config->next[thread].op))
        return hd_tset_has(awake, thread);
    return first_of(ex, awake) == thread && !hd_dpor_was_alone(ex);
}
