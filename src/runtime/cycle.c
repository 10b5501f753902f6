/* Does a cycle return to the same state?  The replay of a livelock asks this at the end of its
 * cycle, and compares bytes where the exploration compared hashes.
 *
 * From the beginning of the cycle on, every written word is logged, which a replay does not
 * need otherwise; stacks, thread-local blocks and next actions are copied. */
#include "runtime/state.h"
#include "runtime/undo.h"

#include <string.h>

static struct {
    struct hd_config config;
    struct hd_action next[HD_MAX_THREADS];
    uint64_t sp[HD_MAX_THREADS];
    int error_number[HD_MAX_THREADS];
    struct hd_undo *log;
    char *slices; /* of all live threads: stack, thread-local block */
} before;

static struct hd_tset could, moved; /* threads, in a state of the cycle */

void hd_cycle_step(uint32_t thread)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        could.w[i] |= rt->config.enabled.w[i];
    hd_tset_add(&moved, thread);
}

static bool is_fair(void)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        if (could.w[i] & ~moved.w[i])
            return false;
    return !hd_config_stands(&rt->config, HD_OP_ASSUME);
}

static uint64_t tls_bytes(const struct hd_fiber *f)
{
    return f->fs_base ? (uint64_t)(rt->tls_end - rt->tls_begin) : 0;
}

void hd_cycle_begin(void)
{
    char *to = before.slices = rt->slice_top;
    before.config = rt->config;
    before.log = rt->log_top;
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        if (!hd_tset_has(&rt->config.live, t))
            continue;
        before.next[t] = rt->next[t];
        before.sp[t] = f->sp;
        before.error_number[t] = *f->error_number;
        if (to + (f->top - f->sp) + tls_bytes(f) > rt->slice_end)
            hd_fatal("the stacks of the program are too large to compare states");
        memcpy(to, (const void *)f->sp, f->top - f->sp);
        to += f->top - f->sp;
        memcpy(to, (const char *)f->fs_base + rt->tls_begin, tls_bytes(f));
        to += tls_bytes(f);
    }
    rt->rooted = 1;
}

/* Every word that was written, but for those that are compared as parts of stacks. */
static bool memory_same(void)
{
    uint64_t n = 0, *old = (uint64_t *)rt->log_top, *end = old;
    struct hd_undo *first = before.log;
    for (struct hd_undo *e = first; e < rt->log_top; e++)
        n += hd_undo_words(e);
    if ((struct hd_undo *)(old + n) > rt->log_end)
        hd_fatal("the cycle writes too much to compare states");
    for (struct hd_undo *e = rt->log_top; e-- > first;)
        hd_undo_swap(e);
    for (struct hd_undo *e = first; e < rt->log_top; e++)
        for (uint64_t i = 0; i < hd_undo_words(e); i++)
            *end++ = *hd_undo_word(e, i).at;
    for (struct hd_undo *e = first; e < rt->log_top; e++)
        hd_undo_swap(e);
    for (struct hd_undo *e = first; e < rt->log_top; e++)
        for (uint64_t i = 0; i < hd_undo_words(e); i++, old++) {
            const uint64_t *at = hd_undo_word(e, i).at;
            if (hd_state_owner((uint64_t)(uintptr_t)at) == ~0u && *at != *old)
                return false;
        }
    return true;
}

static bool threads_same(void)
{
    const char *from = before.slices;
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        if (!hd_tset_has(&rt->config.live, t))
            continue;
        if (f->sp != before.sp[t] || *f->error_number != before.error_number[t] ||
            !hd_action_same(&rt->next[t], &before.next[t]) ||
            memcmp(from, (const void *)f->sp, f->top - f->sp) != 0)
            return false;
        from += f->top - f->sp;
        if (memcmp(from, (const char *)f->fs_base + rt->tls_begin, tls_bytes(f)) != 0)
            return false;
        from += tls_bytes(f);
    }
    return true;
}

bool hd_cycle_closed(uint32_t steps, struct hd_finding *f)
{
    size_t bytes = (size_t)8 * hd_tset_words(rt->config.n_threads);
    if (!rt->rooted || rt->n_log < steps || rt->config.n_threads != before.config.n_threads ||
        memcmp(&rt->config.live, &before.config.live, bytes) != 0 ||
        memcmp(&rt->config.enabled, &before.config.enabled, bytes) != 0 || !is_fair() ||
        !memory_same() || !threads_same())
        return false;
    const struct hd_step *first = &rt->shared->log[rt->n_log - steps];
    *f = (struct hd_finding){ .kind = HD_KIND_LIVELOCK,
                              .thread = first->thread,
                              .site = first->site,
                              .stack = first->stack,
                              .cycle = steps };
    hd_finding_say_cycle(f);
    /* a thread that makes no step on a fair cycle is never enabled there */
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        bool moves = false;
        for (uint32_t i = 0; i < steps; i++)
            moves = moves || first[i].thread == t;
        if (hd_tset_has(&rt->config.live, t) && !moves)
            hd_violation_standing(f, t);
    }
    return true;
}
