#include "runtime/undefined.h"

#include "core/site.h"
#include "runtime/memory.h"
#include "runtime/notes.h"

#include <string.h>
#include <sys/mman.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

/* Written before a call or a return and read after it; no other thread runs in between. */
uint64_t __heddle_argument_bits[HD_MAX_ARGUMENT_BITS];
uint64_t __heddle_result_bits[HD_MAX_RESULT_BITS];

static void map(uint64_t base, uint64_t bytes)
{
    void *p = hd_mmap((void *)base, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)base)
        hd_fatal("cannot reserve the memory that tells which bytes have a value");
}

void hd_undefined_map_heap(uint32_t thread)
{
    map(HD_HEAP_BITS + thread * HD_HEAP_STRIDE, HD_HEAP_STRIDE);
}

void hd_undefined_map_stacks(uint32_t first, uint32_t n)
{
    map(HD_STACK_BITS + first * HD_STACK_STRIDE, n * HD_STACK_STRIDE);
}

static inline uint8_t *heap_bits(uint64_t at)
{
    return (uint8_t *)(at - HD_HEAP_BASE + HD_HEAP_BITS);
}

static inline uint8_t *stack_bits(uint64_t at)
{
    return (uint8_t *)(at - HD_STACK_BASE + HD_STACK_BITS);
}

/* The bytes of the word `word` (of eight) that belong to [at, end), as a mask. */
static inline uint64_t part(uint64_t word, uint64_t at, uint64_t end)
{
    uint64_t mask = ~0ull;
    if (word < at)
        mask &= ~0ull << 8 * (at - word);
    if (word + 8 > end)
        mask &= ~0ull >> 8 * (word + 8 - end);
    return mask;
}

#define LARGE 4096

/* Set every bit of the shadow to `on`. */
static void paint(uint8_t *bits, uint64_t bytes, bool on)
{
    uint64_t at = (uint64_t)(uintptr_t)bits, end = at + bytes;
    if (bytes >= LARGE) {
        uint64_t i = 0;
        while (i < bytes && bits[i] == (on ? 0xff : 0))
            i++;
        if (i == bytes)
            return;
        hd_log_range(bits, bytes);
        memset(bits, on ? 0xff : 0, bytes);
        return;
    }
    for (uint64_t word = at & ~7ull; word < end; word += 8) {
        uint64_t *w = (uint64_t *)word, mask = part(word, at, end);
        uint64_t now = on ? *w | mask : *w & ~mask;
        if (now != *w)
            HD_SET(*w, now);
    }
}

static inline bool tracked(uint64_t at)
{
    const struct hd_block *b = hd_block_at(at);
    return b && b->tracked;
}

/* The shadow of a stack is there when the stack is. */
static inline bool is_mapped(uint64_t at)
{
    return rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE].bytes != 0;
}

/* How many of the bytes exist. check.c reports a read of more. */
static uint64_t there(uint64_t at, uint64_t n)
{
    if (hd_in_stacks(at)) {
        const struct hd_fiber *f = &rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE];
        uint64_t left = at < f->top && at >= f->top - f->bytes ? f->top - at : 0;
        return n < left ? n : left;
    }
    const struct hd_block *b = hd_in_heap(at) ? hd_block_at(at) : NULL;
    if (!b || b->state != HD_BLOCK_LIVE || at < b->at || at - b->at >= b->size)
        return 0;
    return n < b->size - (at - b->at) ? n : b->size - (at - b->at);
}

void hd_define(uint64_t at, uint64_t bytes)
{
    if (hd_in_stacks(at) && is_mapped(at))
        paint(stack_bits(at), bytes < LARGE ? bytes : there(at, bytes), false);
    if (!hd_in_heap(at) || !tracked(at))
        return;
    struct hd_block *b = hd_block_at(at);
    if (bytes >= LARGE && at == b->at && bytes >= b->size)
        HD_SET(b->tracked, 0);
    else
        paint(heap_bits(at), bytes, true);
}

/* ---- blocks ---- */

void hd_undefined_block(void *block, const void *caller)
{
    extern const char __executable_start[], _etext[];
    struct hd_block *b = block ? hd_block_at((uint64_t)(uintptr_t)block) : NULL;
    bool own = (const char *)caller >= __executable_start && (const char *)caller < _etext;
    if (!b || !b->site || !own)
        return;
    b->tracked = 1; /* the header has just been logged */
    if (b->reused)
        paint(heap_bits(b->at), b->size, false);
}

static void copy_bits(uint64_t to, uint64_t from, uint64_t bytes);

void hd_undefined_inherit(void *block, const struct hd_block *from, uint64_t bytes)
{
    copy_bits((uint64_t)(uintptr_t)block, from->at, bytes);
}

/* ---- reading ---- */

/* The bits of at most eight bytes that have no value. */
static inline uint64_t bits_at(uint64_t at, uint64_t bytes)
{
    uint64_t bits = 0;
    if (HD_LIKELY(hd_in_heap(at))) {
        memcpy(&bits, heap_bits(at), bytes);
        bits = ~bits & ~0ull >> 8 * (8 - bytes);
        return bits && tracked(at) ? bits : 0;
    }
    if (hd_in_stacks(at) && is_mapped(at))
        memcpy(&bits, stack_bits(at), bytes);
    return bits;
}

static inline bool watched(uint64_t at)
{
    return hd_in_stacks(at) ? is_mapped(at) : hd_in_heap(at);
}

/* Keep the place for the message about a later use of the value. */
static __attribute__((noinline)) void remember(uint64_t at, uint64_t bits, uint32_t site)
{
    struct hd_telling *t = &model->telling[rt->cur];
    HD_SET(t->undefined_at, at + (uint64_t)__builtin_ctzll(bits) / 8);
    HD_SET(t->undefined_site, site);
}

/* Of an access of that many bytes, those in its first word. */
static inline uint32_t in_first_word(uint32_t bytes) { return bytes < 8 ? bytes : 8; }

#define HD_WIDTH(size, bytes)                                                                    \
    uint##size##_t __heddle_bits##bytes(const void *a, uint32_t site)                            \
    {                                                                                            \
        uint64_t at = (uint64_t)(uintptr_t)a;                                                    \
        uint64_t low = bits_at(at, in_first_word(bytes));                                        \
        uint64_t high = bytes > 8 ? bits_at(at + 8, 8) : 0;                                      \
        if (HD_UNLIKELY(low | high))                                                             \
            remember(low ? at : at + 8, low ? low : high, site);                                 \
        return (uint##size##_t)((uint128_t)high << 64 | low);                                    \
    }                                                                                            \
    void __heddle_set_bits##bytes(void *a, uint##size##_t bits)                                  \
    {                                                                                            \
        __heddle_set_bits_n(a, &bits, bytes);                                                    \
    }
#include "runtime/widths.def"
#undef HD_WIDTH

void __heddle_bits_n(const void *a, void *into, uint64_t n, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a, some = 0;
    for (uint64_t i = 0; i < n; i += 8) {
        uint64_t here = n - i < 8 ? n - i : 8, bits = bits_at(at + i, here);
        memcpy((char *)into + i, &bits, here);
        if (bits && !some)
            remember(at + i, bits, site);
        some |= bits;
    }
}

/* ---- writing ---- */

void __heddle_set_bits_n(void *a, const void *bits, uint64_t n)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    bool heap = hd_in_heap(at);
    if (!watched(at) || (heap && !tracked(at)))
        return;
    uint8_t *to = heap ? heap_bits(at) : stack_bits(at);
    for (uint64_t i = 0; i < n; i += 8) {
        uint64_t here = n - i < 8 ? n - i : 8, new = 0, old = 0;
        memcpy(&new, (const char *)bits + i, here);
        memcpy(&old, to + i, here);
        if (heap)
            new = ~new & ~0ull >> 8 * (8 - here);
        if (new == old)
            continue;
        hd_log_range(to + i, here);
        memcpy(to + i, &new, here);
    }
}

void __heddle_defined(void *a, uint64_t n)
{
    n = there((uint64_t)(uintptr_t)a, n);
    if (n)
        hd_define((uint64_t)(uintptr_t)a, n);
}

void __heddle_defined_string(char *a, uint64_t most)
{
    uint64_t left = there((uint64_t)(uintptr_t)a, most), n = strnlen(a, left);
    __heddle_defined(a, n + (n < left));
}

void __heddle_declare(void *a, uint64_t n)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (!hd_in_stacks(at) || !is_mapped(at))
        return;
    paint(stack_bits(at), n, true);
    hd_stack_marked(at);
}

static void copy_bits(uint64_t to, uint64_t from, uint64_t bytes)
{
    uint64_t piece[64];
    bool down = to > from && to < from + bytes; /* they overlap: from the end */
    if (!watched(to) || (hd_in_heap(to) && !tracked(to)))
        return;
    for (uint64_t done = 0, n; done < bytes; done += n) {
        n = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        uint64_t at = down ? bytes - done - n : done;
        for (uint64_t i = 0; i < n; i += 8)
            piece[i / 8] = watched(from) ? bits_at(from + at + i, n - i < 8 ? n - i : 8) : 0;
        __heddle_set_bits_n((void *)(to + at), piece, n);
    }
}

void __heddle_copy_bits(void *to, const void *from, uint64_t n)
{
    copy_bits((uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from, n);
}

/* Unknown code has got an address and may have written everything that it can reach: existing
 * memory counts as defined from now on. */
void __heddle_foreign_wrote(uint32_t site)
{
    if (model->bits_off)
        return;
    HD_SET(model->bits_off, 1);
    __heddle_reached(HD_NOTE_WROTE, site);
}

/* ---- uses ---- */

static const char *word_for(enum hd_use use)
{
    switch (use) {
    case HD_USE_BRANCH:
        return "decides a branch";
    case HD_USE_ADDRESS:
        return "is used as an address";
    case HD_USE_ARGUMENT:
        return "is an argument of a call";
    case HD_USE_DIVISOR:
        return "is divided by";
    case HD_USE_ATOMIC:
        return "is changed or compared by an atomic operation";
    default:
        return "is read by a library function";
    }
}

/* `named`: a site whose variable holds the address. */
static _Noreturn void violation_at(uint64_t at, enum hd_use use, uint32_t site, uint32_t named)
{
    const struct hd_block *b = hd_in_heap(at) ? hd_block_at(at) : NULL;
    const struct hd_site *s = &__start_heddle_sites[named];
    if (b)
        hd_violation_block(
            b, site,
            "use of uninitialised memory: offset %llu of a block of %llu was never "
            "written, and %s",
            (unsigned long long)(at - b->at), (unsigned long long)b->size, word_for(use));
    if (named == 0 || named >= __start_heddle_info->n_sites || !s->variable)
        hd_violation(HD_KIND_MEMORY, site,
                     "use of uninitialised memory: a local variable was never written, and %s",
                     word_for(use));
    hd_violation(HD_KIND_MEMORY, site,
                 "use of uninitialised memory: `%s' of %s at %s:%u was never written, and %s",
                 __start_heddle_strings + s->variable, __start_heddle_strings + s->function,
                 __start_heddle_strings + s->file, s->line, word_for(use));
}

/* The value may have several origins; the last place that was read without a definition is the
 * likeliest, unless the value cannot come from there. */
void __heddle_undefined(uint32_t use, uint32_t site, uint32_t origin)
{
    const struct hd_telling *t = &model->telling[rt->cur];
    if (model->bits_off)
        return;
    bool known = t->undefined_at && (t->undefined_site == origin || !origin);
    violation_at(known ? t->undefined_at : 0, (enum hd_use)use, site,
                 origin ? origin : (uint32_t)t->undefined_site);
}

void hd_undefined_atomic(uint64_t at, uint64_t bytes, uint32_t site)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t here = bytes - i < 8 ? bytes - i : 8;
        if (bits_at(at + i, here) != ~0ull >> 8 * (8 - here))
            return;
    }
    if (!model->bits_off)
        violation_at(at, HD_USE_ATOMIC, site, site);
}

#define RUN 8 /* padding is shorter */

void __heddle_used(const void *a, uint64_t n, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a, run = 0;
    if (model->bits_off)
        return;
    n = there(at, n);
    for (uint64_t i = 0; i < n; i++) {
        run = bits_at(at + i, 1) ? run + 1 : 0;
        if (run == RUN || (run == n && run))
            violation_at(at + i + 1 - run, HD_USE_LIBRARY, site, site);
    }
}

static int folded(char c, uint32_t how)
{
    return how == HD_COMPARES_FOLDED && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static char byte_at(const char *at)
{
    char c;
    hd_view_load(rt->cur, at, &c, 1);
    return c;
}

/* The result depends on the bytes up to the first that differ, and on no others. */
void __heddle_used_compared(const char *a, const char *b, uint64_t n, uint32_t how, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a, other = (uint64_t)(uintptr_t)b;
    uint64_t here = there(at, n), there_too = there(other, n);
    if (model->bits_off)
        return;
    for (uint64_t i = 0; i < n && (i < here || i < there_too); i++) {
        if (i < here && bits_at(at + i, 1))
            violation_at(at + i, HD_USE_LIBRARY, site, site);
        if (i < there_too && bits_at(other + i, 1))
            violation_at(other + i, HD_USE_LIBRARY, site, site);
        bool can_read = hd_probe(a + i, a + i, false) == UINT64_MAX &&
                        hd_probe(b + i, b + i, false) == UINT64_MAX;
        if (!can_read || folded(byte_at(a + i), how) != folded(byte_at(b + i), how) ||
            (how != HD_COMPARES_BYTES && byte_at(a + i) == 0))
            return; /* the call itself faults if they cannot be read */
    }
}

void __heddle_used_string(const char *a, uint64_t most, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (model->bits_off)
        return;
    uint64_t left = there(at, most), n = strnlen(a, left);
    for (uint64_t i = 0; i < n + (n < left); i++)
        if (bits_at(at + i, 1))
            violation_at(at + i, HD_USE_LIBRARY, site, site);
}
