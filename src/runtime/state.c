/* The state of the program as the explorer compares it: memory by what every step changes,
 * threads by what they have on their stacks.
 *
 * Memory is the xor of a hash of (address, value) over all words that were ever written since
 * the root, without their values at the root.  So the change by some steps follows from their
 * part of the undo log alone.
 *
 * Stacks and thread-local blocks are left out there: of those the live part is hashed as a
 * whole, since what a thread does to its own frames is not logged. */
#include "runtime/state.h"

#include "runtime/state_hash.h"

#include "core/aes.h"

/* The thread-local blocks of all threads but the first are next to their stacks (tls.c). */
uint32_t hd_state_owner(uint64_t at)
{
    struct hd_state_owners o = hd_state_owners();
    return hd_state_owned(&o, at);
}

static hd_piece128 aes_round(hd_piece128 x, hd_piece128 key)
{
    hd_aes_round((unsigned char *)&x);
    return x ^ key;
}

static __attribute__((noinline)) bool change_plain(uint32_t since, uint64_t out[2],
                                                   struct hd_tset *threads)
{
    return hd_state_change_by(since, out, threads, aes_round);
}

static __attribute__((noinline)) void local_plain(uint32_t thread, uint64_t out[2])
{
    hd_state_local_by(thread, out, aes_round);
}

/* Both ways to compute a hash must agree. */
static void check_round(bool same)
{
    if (!same)
        hd_rt_bug(NULL, "that a state has the same hash without the instruction for AES");
}

static __attribute__((noinline)) bool change_both(uint32_t since, uint64_t out[2],
                                                  struct hd_tset *threads)
{
    uint64_t plain[2];
    bool known = hd_state_change_aes(since, out, threads);
    check_round(change_plain(since, plain, threads) == known &&
                memcmp(plain, out, sizeof plain) == 0);
    return known;
}

static __attribute__((noinline)) void local_both(uint32_t thread, uint64_t out[2])
{
    uint64_t plain[2];
    hd_state_local_aes(thread, out);
    local_plain(thread, plain);
    check_round(memcmp(plain, out, sizeof plain) == 0);
}

bool hd_state_change(void *self, uint32_t since, uint64_t out[2], struct hd_tset *threads)
{
    (void)self;
    if (HD_UNLIKELY(!rt->aes_alone))
        return rt->has_aes ? change_both(since, out, threads) : change_plain(since, out, threads);
    return hd_state_change_aes(since, out, threads);
}

void hd_state_local(void *self, uint32_t thread, uint64_t out[2])
{
    (void)self;
    if (HD_LIKELY(rt->aes_alone))
        hd_state_local_aes(thread, out);
    else if (rt->has_aes)
        local_both(thread, out);
    else
        local_plain(thread, out);
}

void hd_state_prepare(void) { rt->aes_alone = rt->has_aes && !rt->shared->options.paranoid; }

/* The bytes of a state are written after the slices, where there is room until the next step is
 * marked. */
static char *put(char *to, const void *from, uint64_t bytes)
{
    if (to + bytes > rt->slice_end)
        hd_fatal("the states of the program are too large to be kept (--exact-states)");
    memcpy(to, from, bytes);
    return to + bytes;
}

static uint64_t local_bytes(uint32_t thread, char *begin)
{
    const struct hd_fiber *f = &rt->fibers[thread];
    char *to = put(begin, &f->sp, sizeof f->sp);
    to = put(to, (const void *)f->sp, f->top - f->sp);
    if (f->fs_base)
        to = put(to, (const char *)f->fs_base + rt->tls_begin,
                 (uint64_t)(rt->tls_end - rt->tls_begin));
    to = put(to, &model->heaps[thread], sizeof model->heaps[thread]);
    to = put(to, model->values[thread], model->n_keys * sizeof(void *));
    to = put(to, f->error_number, sizeof *f->error_number);
    return (uint64_t)(put(to, &rt->next[thread], sizeof rt->next[thread]) - begin);
}

/* By address, and the older of two entries for one word first (they stay in their order). */
static void sort(struct hd_undo *e, uint64_t n, struct hd_undo *spare)
{
    for (uint64_t width = 1; width < n; width *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * width) {
            uint64_t a = i, middle = i + width < n ? i + width : n;
            uint64_t b = middle, end = middle + width < n ? middle + width : n;
            for (uint64_t to = i; to < end; to++)
                spare[to] = b == end || (a < middle && e[a].at <= e[b].at) ? e[a++] : e[b++];
        }
        memcpy(e, spare, n * sizeof *e);
    }
}

static uint64_t memory_bytes(char *begin)
{
    const struct hd_undo *first = rt->depth ? rt->marks[0].log : rt->log_top;
    uint64_t n = 0, kept = 0, most = 0;
    for (const struct hd_undo *entry = first; entry < rt->log_top; entry++)
        most += hd_undo_words(entry);
    struct hd_undo *e = (struct hd_undo *)(void *)begin;
    if ((char *)(e + 2 * most) > rt->slice_end)
        hd_fatal("the states of the program are too large to be kept (--exact-states)");
    for (const struct hd_undo *entry = first; entry < rt->log_top; entry++)
        for (uint64_t i = 0, words = hd_undo_words(entry); i < words; i++) {
            struct hd_undo word = hd_undo_word(entry, i);
            if (hd_state_owner((uint64_t)(uintptr_t)word.at) == ~0u)
                e[n++] = word;
        }
    sort(e, n, e + n);
    for (uint64_t i = 0; i < n; i++) {
        bool again = i && e[i].at == e[i - 1].at;
        if (!again && *e[i].at != e[i].old)
            e[n + kept++] = (struct hd_undo){ e[i].at, *e[i].at };
    }
    memmove(e, e + n, kept * sizeof *e);
    return kept * sizeof *e;
}

uint64_t hd_state_bytes(void *self, uint32_t thread, const char **bytes)
{
    (void)self;
    char *begin = (char *)(((uintptr_t)rt->slice_top + 15) & ~(uintptr_t)15);
    *bytes = begin;
    return thread == ~0u ? memory_bytes(begin) : local_bytes(thread, begin);
}
