/* Invariants: evaluating them, and what they read.
 *
 * An invariant belongs to no thread.  It is evaluated between two steps, on the stack of
 * the thread that made the last one, with main's thread-local variables, and must leave
 * everything as it was: its reads are performed at once and noted (core/readset.h), its writes
 * may touch its own frames only, and whatever else it does is a misuse. */
#include "runtime/invariant.h"
#include "runtime/view.h"

#include "base/hash.h"
#include "core/touch.h"

#include <string.h>

#define HASHED_BYTES 4096u /* of one read; the set has all bytes */

static void begin(void)
{
    struct hd_invariant *i = &rt->invariant;
    uint32_t cur = rt->cur;
    i->next = rt->next[cur];
    i->solo_fast = rt->solo_fast;
    i->usual = rt->usual;
    i->usual_apart = rt->usual_apart;
    i->error_number = *rt->fibers[0].error_number;
    rt->in_invariant = 1;
    rt->solo_fast = rt->usual = rt->usual_apart = 0; /* every hook calls hd_invariant_step() */
    if (cur != 0)
        hd_set_fs(rt->fibers[0].fs_base);
}

void hd_invariant_over(void)
{
    const struct hd_invariant *i = &rt->invariant;
    if (!rt->in_invariant)
        return;
    *rt->fibers[0].error_number = i->error_number;
    if (rt->cur != 0)
        hd_set_fs(rt->fibers[rt->cur].fs_base);
    rt->in_invariant = 0;
    rt->solo_fast = i->solo_fast;
    rt->usual = i->usual;
    rt->usual_apart = i->usual_apart;
    rt->next[rt->cur] = i->next;
    __heddle_call_site = 0;
}

/* Not inlined: the memory below its frame is the invariant's. */
static __attribute__((noinline)) bool holds(int (*fn)(void))
{
    const struct hd_frame *frame = __heddle_frame;
    rt->invariant.stack = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    begin();
    bool ok = fn() != 0;
    hd_invariant_over();
    __heddle_frame = frame;
    return ok;
}

/* Is it in a frame of the invariant itself, or of a function that it has called? */
static bool is_own(uint64_t begin_at, uint64_t bytes)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return begin_at >= here && begin_at < rt->invariant.stack &&
           bytes <= rt->invariant.stack - begin_at;
}

static void reads(uint64_t at, uint64_t bytes)
{
    struct hd_worker_memory *shared = rt->shared;
    uint64_t part[2];
    if (is_own(at, bytes))
        return;
    if (hd_readset_add(&shared->readset, at, at + bytes))
        shared->readset.grown = 1;
    rt->config.seen = hd_hash_step(rt->config.seen, at);
    for (uint64_t i = 0; i < bytes && i < HASHED_BYTES; i += 16) {
        uint64_t n = bytes - i < 16 ? bytes - i : 16;
        hd_view_peek(rt->cur, at + i, (uint32_t)n, part);
        rt->config.seen = hd_hash_step(hd_hash_step(rt->config.seen, part[0]), part[1]);
    }
}

void hd_invariant_step(void)
{
    const struct hd_action *a = &rt->next[rt->cur];
    struct hd_touch touched[2];
    int n = hd_touches(a, touched);
    if (hd_op_table[a->op].space != HD_SPACE_MEM || a->op == HD_OP_FREE)
        hd_violation(HD_KIND_MISUSE, a->site, "an invariant may only read: this one does `%s'",
                     hd_op_table[a->op].text);
    for (int i = 0; i < n; i++) {
        uint64_t bytes = touched[i].end - touched[i].begin;
        if (touched[i].writes && !is_own(touched[i].begin, bytes))
            hd_violation(HD_KIND_MISUSE, a->site,
                         "an invariant may only read: this one writes memory of the program");
        if (!touched[i].writes)
            reads(touched[i].begin, bytes);
    }
}

void hd_invariant_calls(const char *call, uint32_t site)
{
    hd_violation(HD_KIND_MISUSE, site, "an invariant may only read: this one calls %s", call);
}

/* Mark the next actions that write what the invariants read. */
static void mark_writes(void)
{
    const struct hd_readset *set = &rt->shared->readset;
    struct hd_touch touched[2];
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        struct hd_action *a = &rt->next[t];
        if (!hd_tset_has(&rt->config.live, t) || a->op == HD_OP_AWAIT)
            continue;
        a->size2 &= ~HD_WATCHED_WRITE;
        for (int i = 0, n = hd_touches(a, touched); i < n; i++)
            if (touched[i].writes && touched[i].begin < HD_TOUCH_THREAD &&
                hd_readset_meets(set, touched[i].begin, touched[i].end))
                a->size2 |= HD_WATCHED_WRITE;
    }
}

int32_t hd_invariant_broken(void)
{
    const struct hd_options *opt = &rt->shared->options;
    int32_t which = -1;
    rt->config.seen = 0;
    for (uint32_t i = 0; i < opt->n_invariants && which < 0; i++)
        if (!holds((int (*)(void))(uintptr_t)(opt->invariants[i].address + rt->load_base)))
            which = (int32_t)i;
    for (uint64_t i = 0; i < model->n_registered && which < 0; i++)
        if (!holds(model->registered[i]))
            which = (int32_t)(HD_MAX_INVARIANTS + i);
    if (rt->mode == HD_EXPLORING && hd_filters_use_dependence(opt->filters))
        mark_writes();
    return which;
}
