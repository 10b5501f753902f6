/* The parts of threads, for --symmetric (explore/states/symmetry.h).
 *
 * A thread's part is its stack, its thread-local block, its heap arena, and what the model
 * knows of it: its row of every table that has one for each thread, its bit in every set of
 * threads, the locks that it owns.  Words of a part are hashed with their offset in it; a word
 * that points into its own part counts as the offset there.
 *
 * Words of memory are accounted for as in state.c, by what a step has written.  Anything that
 * may contain names of threads and is not examined distinguishes threads. */
#include "runtime/heap.h"
#include "runtime/state.h"
#include "runtime/undo.h"

#include "base/hash.h"
#include "core/site.h"

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

#define NOWHERE (~0u)
#define PLACE 0xa11ce00000000000ull /* of a word that points into its own part */

struct place {
    uint32_t thread; /* NOWHERE: in no thread's part */
    uint64_t offset; /* in it, different for every table */
};

static bool in_table(uint64_t at, const void *table, uint64_t row, uint64_t tag,
                     struct place *out)
{
    uint64_t offset = at - (uint64_t)(uintptr_t)table;
    if (offset >= row * HD_MAX_THREADS)
        return false;
    *out = (struct place){ (uint32_t)(offset / row), tag << 40 | offset % row };
    return true;
}

/* The block of main; those of others lie beside their stacks. */
static bool in_tls(uint64_t at, struct place *out)
{
    uint64_t base = rt->fibers[0].fs_base, offset = at - (base + (uint64_t)rt->tls_begin);
    if (offset >= (uint64_t)(rt->tls_end - rt->tls_begin) && at != base)
        return false;
    *out = (struct place){ 0, 9ull << 40 | offset };
    return true;
}

/* The part that contains the address, and the offset in it. */
static struct place place_of(uint64_t at)
{
    struct place p = { NOWHERE, 0 };
    if (at < HD_MODEL_BASE)
        return p;
    if (at - HD_STACK_BASE < HD_MAX_THREADS * HD_STACK_STRIDE) {
        p.thread = (uint32_t)((at - HD_STACK_BASE) / HD_STACK_STRIDE);
        p.offset = 1ull << 40 | (rt->fibers[p.thread].top - at);
    } else if (at - HD_HEAP_BASE < HD_HEAP_BYTES) {
        p.thread = (uint32_t)((at - HD_HEAP_BASE) / HD_HEAP_STRIDE);
        p.offset = 2ull << 40 | (at - HD_HEAP_BASE) % HD_HEAP_STRIDE;
    } else if (at < HD_STACK_BASE) {
        bool found = in_table(at, model->threads, sizeof *model->threads, 3, &p) ||
                     in_table(at, model->heaps, sizeof *model->heaps, 4, &p) ||
                     in_table(at, model->values, sizeof *model->values, 5, &p) ||
                     in_table(at, model->destructors, sizeof *model->destructors, 6, &p) ||
                     in_table(at, model->properties, sizeof *model->properties, 7, &p) ||
                     in_table(at, rt->next, sizeof *rt->next, 8, &p) ||
                     in_table(at, rt->fibers, sizeof *rt->fibers, 10, &p);
        (void)found;
    } else {
        in_tls(at, &p);
    }
    if (p.thread >= rt->config.n_threads)
        p.thread = NOWHERE;
    return p;
}

/* The value as it counts in the part of `self`; *leads is the other thread whose part it points
 * into. */
static uint64_t seen_from(uint32_t self, uint64_t value, uint32_t *leads)
{
    struct place p = place_of(value);
    *leads = p.thread == self ? NOWHERE : p.thread;
    return p.thread != NOWHERE && p.thread == self ? PLACE ^ p.offset : value;
}

static void toggle(uint64_t out[2], uint64_t at, uint64_t value)
{
    out[0] ^= hd_hash_mix(hd_hash_mix(at + 0x9e3779b97f4a7c15ull) + value);
    out[1] ^= hd_hash_mix(hd_hash_mix(at + 0xd1b54a32d192ed03ull) + value);
}

static inline bool in_set(uint64_t at, const struct hd_tset *set)
{
    return at - (uint64_t)(uintptr_t)set < sizeof *set;
}

/* Sets of threads: a bit belongs to the part of its thread. */
static bool toggle_set(struct hd_symmetry_change *out, uint64_t at, uint64_t value)
{
    uint64_t first = ~0ull, name = 0, offset = at - (uint64_t)(uintptr_t)model->sync;
    if (offset < sizeof model->sync) {
        uint64_t inside = offset % sizeof *model->sync - offsetof(struct hd_sync, pending);
        first = inside < sizeof(struct hd_tset) ? inside * 8 : first;
        name = at - inside;
    } else if (in_set(at, &model->awaiting)) {
        first = (at - (uint64_t)(uintptr_t)&model->awaiting) * 8;
        name = (uint64_t)(uintptr_t)&model->awaiting;
    } else if (in_set(at, &model->joined)) {
        first = (at - (uint64_t)(uintptr_t)&model->joined) * 8;
        name = (uint64_t)(uintptr_t)&model->joined;
    }
    if (first == ~0ull)
        return false;
    for (uint64_t bits = value; bits; bits &= bits - 1)
        toggle(out->by[first + (uint64_t)__builtin_ctzll(bits)].own, name, 1);
    return true;
}

/* The owner of a lock; how often a thread holds one for reading. */
static bool toggle_owner(struct hd_symmetry_change *out, uint64_t at, uint64_t value)
{
    uint64_t offset = at - (uint64_t)(uintptr_t)model->sync;
    if (offset < sizeof model->sync &&
        offset % sizeof *model->sync == (offsetof(struct hd_sync, owner) & ~7ull)) {
        uint32_t shift = offsetof(struct hd_sync, owner) % 8 * 8;
        uint64_t owner = value >> shift & 0xffff;
        if (owner < HD_MAX_THREADS && value) { /* not in a row that was never used */
            toggle(out->by[owner].own, at, 2);
            value |= 0xffffull << shift;
            value ^= 1ull << shift; /* a thread's */
        }
        toggle(out->memory, at, value);
        return true;
    }
    offset = at - (uint64_t)(uintptr_t)model->reads;
    if (offset >= sizeof model->reads)
        return false;
    uint64_t row = at - offset % HD_MAX_THREADS, first = offset % HD_MAX_THREADS;
    for (uint32_t i = 0; i < 8; i++)
        if (value >> 8 * i & 0xff)
            toggle(out->by[first + i].own, row, value >> 8 * i & 0xff);
    return true;
}

/* May a word of the model contain names of threads that are not examined? */
static bool names_threads(uint64_t at, const struct place *p, uint64_t value)
{
    uint64_t offset = at - HD_MODEL_BASE, among = offsetof(struct hd_thread, futex_among);
    if (p->thread != NOWHERE) /* a row of hd_thread */
        return p->offset >> 40 == 3 &&
               p->offset - (3ull << 40) - among < sizeof(struct hd_tset) && value;
    if (offset >= sizeof *model)
        return false;
#define IN(member)                                                                               \
    (offset - offsetof(struct hd_model, member) < sizeof(((struct hd_model *)NULL)->member))
    return (IN(exiting) && value > 1) ||
           ((IN(signals) || IN(fds) || IN(named) || IN(robust) || IN(n_robust)) && value);
#undef IN
}

/* The shadow of a stack or of a heap lies in the part that it is the shadow of. */
static void find_in_shadow(uint64_t at, struct place *out)
{
    uint64_t heap = at - HD_HEAP_BITS, bits = at - HD_STACK_BITS, zones = at - HD_STACK_ZONES;
    if (heap < HD_HEAP_BYTES) {
        *out = (struct place){ (uint32_t)(heap / HD_HEAP_STRIDE),
                               11ull << 40 | heap % HD_HEAP_STRIDE };
    } else if (bits < HD_MAX_THREADS * HD_STACK_STRIDE) {
        out->thread = (uint32_t)(bits / HD_STACK_STRIDE);
        out->offset = 12ull << 40 | (rt->fibers[out->thread].top - HD_STACK_BASE - bits);
    } else if (zones < HD_MAX_THREADS * HD_STACK_STRIDE / 8) {
        out->thread = (uint32_t)(zones * 8 / HD_STACK_STRIDE);
        out->offset = 13ull << 40 | (rt->fibers[out->thread].top - HD_STACK_BASE - zones * 8);
    }
    if (out->thread != NOWHERE && out->thread >= rt->config.n_threads)
        out->thread = NOWHERE;
}

/* The word gets the value, or loses it (`by` is 1 or -1). */
static void account(struct hd_symmetry_change *out, uint64_t at, uint64_t value, int32_t by)
{
    if (toggle_set(out, at, value) || toggle_owner(out, at, value))
        return;
    uint32_t leads;
    struct place p = place_of(at);
    if (p.thread == NOWHERE)
        find_in_shadow(at, &p);
    if (p.thread != NOWHERE && p.offset >> 40 == 2) { /* a block's header says whose it is */
        struct hd_block *b = hd_block_at(at);
        uint64_t inside = b ? at - (uint64_t)(uintptr_t)b : ~0ull;
        if (inside == offsetof(struct hd_block, thread) ||
            inside == offsetof(struct hd_block, freed_by)) {
            if ((uint32_t)value == p.thread)
                value |= 0xffffffffu;
            else if ((uint32_t)value < rt->config.n_threads && (uint32_t)value)
                out->by[(uint32_t)value].mentions += by;
        }
    }
    value = seen_from(p.thread, value, &leads);
    if (leads != NOWHERE)
        out->by[leads].mentions += by;
    if (p.thread == NOWHERE)
        toggle(out->memory, at, value);
    else
        toggle(out->by[p.thread].own, p.offset, value);
    if (names_threads(at, &p, value))
        rt->distinguished_by =
            "signals, descriptors, futexes, named or robust objects know their names";
}

/* Account for a word that gets its old value back. */
static void take_back(struct hd_symmetry_change *out, const struct hd_undo *word)
{
    uint64_t at = (uint64_t)(uintptr_t)word->at;
    uint32_t owner = hd_state_owner(at);
    if (owner != ~0u) {
        hd_tset_add(&out->changed, owner);
        return;
    }
    account(out, at, *word->at, 1);
    account(out, at, word->old, -1);
}

bool hd_symmetry_change(void *self, struct hd_symmetry_change *out)
{
    (void)self;
    const struct hd_mark *m = &rt->marks[rt->depth - 1];
    out->memory[0] = out->memory[1] = 0;
    hd_tset_clear(&out->changed);
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        out->by[t].own[0] = out->by[t].own[1] = 0;
        out->by[t].mentions = 0;
    }
    if (m->opaque)
        return false;
    for (struct hd_undo *e = rt->log_top; e-- > m->log;) {
        for (uint64_t i = 0, n = hd_undo_words(e); i < n; i++) {
            struct hd_undo word = hd_undo_word(e, i);
            take_back(out, &word);
        }
        hd_undo_swap(e);
    }
    for (struct hd_undo *e = m->log; e < rt->log_top; e++)
        hd_undo_swap(e);
    return true;
}

static void add(uint64_t h[2], uint32_t self, uint64_t value, struct hd_tset *leads)
{
    uint32_t whose;
    value = seen_from(self, value, &whose);
    if (whose != NOWHERE)
        hd_tset_add(leads, whose);
    h[0] = hd_hash_step(h[0], value);
    h[1] = hd_hash_step(h[1], ~value);
}

static void add_words(uint64_t h[2], uint32_t self, const void *from, uint64_t bytes,
                      struct hd_tset *leads)
{
    const char *p = from;
    for (uint64_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t word;
        __builtin_memcpy(&word, p + i, 8);
        add(h, self, word, leads);
    }
}

void hd_symmetry_local(void *self, uint32_t thread, uint64_t out[2], struct hd_tset *leads)
{
    (void)self;
    const struct hd_fiber *f = &rt->fibers[thread];
    const struct hd_action *a = &rt->next[thread];
    out[0] = out[1] = a->op;
    if (a->op ==
        HD_OP_START) /* it has nothing of its own yet; addresses may be another worker's */
        return;
    /* The first word is that of the control registers (switch.S), and might look like an
     * address. */
    uint64_t control = *(const uint64_t *)f->sp, bytes = f->top - f->sp;
    uint64_t h[2] = { hd_hash_step(bytes, control), hd_hash_step(~bytes, control) };
    add_words(h, thread, (const char *)f->sp + 8, bytes - 8, leads);
    if (f->fs_base)
        add_words(h, thread, (const char *)f->fs_base + rt->tls_begin,
                  (uint64_t)(rt->tls_end - rt->tls_begin), leads);
    add(h, thread, (uint32_t)*f->error_number, leads);
    bool itself = hd_op_table[a->op].space == HD_SPACE_THREAD && a->object == thread;
    add(h, thread, itself ? PLACE : a->object, leads);
    add(h, thread, a->object2, leads);
    add(h, thread, (uint64_t)a->size << 32 | a->site, leads);
    add(h, thread, (uint64_t)a->size2 << 32 | (uint64_t)a->op << 16 | a->choices, leads);
    out[0] = h[0];
    out[1] = h[1];
}

/* The class of a thread: its creator and its function; main has none. */
uint64_t hd_symmetry_class(void *self, uint32_t thread)
{
    (void)self;
    const struct hd_thread *t = &model->threads[thread];
    bool there = hd_tset_has(&rt->config.live, thread) || t->flags & HD_THREAD_EXITED;
    if (thread == 0 || !there)
        return 0;
    uint64_t h = hd_hash_step(rt->shared->threads[thread].parent,
                              (uint64_t)(uintptr_t)t->routine);
    return hd_hash_step(h, (uint64_t)(uintptr_t)t->arg) | 1ull << 63;
}

void hd_symmetry_tell(uint32_t thread, const char *why)
{
    if (!rt->shared || !rt->shared->options.symmetric || rt->distinguished_by)
        return;
    uint64_t class = hd_symmetry_class(NULL, thread);
    for (uint32_t t = 1; t < rt->config.n_threads && class; t++)
        if (t != thread && hd_symmetry_class(NULL, t) == class) {
            rt->distinguished_by = why;
            return;
        }
}

bool hd_symmetry_is_joined(void *self, uint32_t thread)
{
    (void)self;
    return hd_tset_has(&model->joined, thread);
}

bool hd_symmetry_is_published(void *self, uint32_t thread)
{
    (void)self;
    return model->threads[thread].published;
}

const char *hd_symmetry_distinguished_by(void *self)
{
    (void)self;
    if (!rt->distinguished_by && __start_heddle_info->told_apart)
        rt->distinguished_by = __start_heddle_strings + __start_heddle_info->told_apart;
    return rt->distinguished_by;
}
