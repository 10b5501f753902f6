#include "runtime/zones.h"

#include "core/site.h"
#include "runtime/memory.h"
#include "runtime/view.h"

#include <string.h>
#include <sys/mman.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

struct variable { /* written by instrument/zones.c */
    uint64_t begin, bytes;
    uint64_t all; /* with the zone */
    uint64_t name;
};
extern const struct variable __heddle_variables[] __attribute__((weak));
extern const uint64_t __heddle_n_variables __attribute__((weak));

static void *map(uint64_t base, uint64_t bytes)
{
    int fixed = base ? MAP_FIXED_NOREPLACE : 0;
    void *p = hd_mmap((void *)base, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (p == MAP_FAILED || (base && p != (void *)base))
        hd_fatal("cannot reserve the memory for the zones around variables");
    return p;
}

void hd_zones_map_stacks(uint32_t first, uint32_t n)
{
    map(HD_STACK_ZONES + first * (HD_STACK_STRIDE / 8), n * (HD_STACK_STRIDE / 8));
}

static void mark_variable(const struct variable *v)
{
    uint8_t *zones = rt->zones + (v->begin - rt->zones_begin) / 8;
    memset(zones, 0, v->bytes / 8);
    memset(zones + v->bytes / 8, HD_ZONE, v->all / 8 - v->bytes / 8);
    if (v->bytes % 8)
        zones[v->bytes / 8] = (uint8_t)(v->bytes % 8);
}

void hd_zones_prepare(void)
{
    uint64_t begin = UINT64_MAX, end = 0;
    uint64_t n = &__heddle_n_variables ? __heddle_n_variables : 0;
    for (uint64_t i = 0; i < n; i++) {
        const struct variable *v = &__heddle_variables[i];
        begin = v->begin < begin ? v->begin : begin;
        end = v->begin + v->all > end ? v->begin + v->all : end;
    }
    if (n == 0)
        return;
    rt->zones_begin = begin;
    rt->zones_bytes = end - begin;
    rt->zones = map(0, (end - begin) / 8 + 16);
    for (uint64_t i = 0; i < n; i++)
        mark_variable(&__heddle_variables[i]);
}

/* ---- stacks ---- */

static inline uint8_t *zones_of(uint64_t at)
{
    return (uint8_t *)((at - HD_STACK_BASE) / 8 + HD_STACK_ZONES);
}

static void set(uint8_t *zones, uint8_t value, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (zones[i] != value) {
            hd_log_range(zones + i, n - i);
            memset(zones + i, value, n - i);
            return;
        }
}

static bool on_own_stack(uint64_t at)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    return at < f->top && at >= f->top - f->bytes;
}

void __heddle_alive(void *a, uint64_t bytes, uint64_t zone)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    uint8_t *zones = zones_of(at);
    if (!on_own_stack(at))
        return;
    set(zones, 0, (at % 8 + bytes + 7) / 8);
    hd_define(at, bytes); /* the declaration, which comes after this, says otherwise */
    if (zone == 0)
        return;
    uint64_t front = zone < 16 ? 1 : 2;
    set(zones - front, HD_ZONE, front);
    hd_stack_marked(at - 8 * front);
    if (bytes % 8)
        set(zones + bytes / 8, (uint8_t)(bytes % 8), 1);
    set(zones + (bytes + 7) / 8, HD_ZONE, (bytes + zone) / 8 - (bytes + 7) / 8);
}

/* Does a local there hold synchronisation objects, or lie between two?  They may be all of it
 * that other threads use. */
static bool has_objects(uint64_t at, uint64_t bytes)
{
    struct hd_thread *t = hd_thread_now();
    if (at >= t->objects_end || at + bytes <= t->objects_begin)
        return false;
    if (at <= t->objects_begin && at + bytes >= t->objects_end) /* these are all */
        HD_SET(t->objects_end, 0);
    return true;
}

/* The end of the scope of a local that other threads may use conflicts with what they do to it,
 * as freeing a block does. */
static void end(uint64_t at, uint64_t bytes, uint32_t shared, uint32_t site)
{
    if ((has_objects(at, bytes) || shared) && !rt->solo_fast)
        hd_act_full(HD_OP_FREE, (void *)(uintptr_t)at, NULL, (uint32_t)bytes, site, 1);
    struct hd_telling *t = &model->telling[rt->cur];
    struct hd_gone *g = &t->gone[t->n_gone % HD_MOST_GONE];
    set(zones_of(at), HD_GONE, (bytes + 7) / 8);
    HD_SET(t->n_gone, t->n_gone + 1);
    HD_SET(g->at, at);
    HD_SET(g->bytes, bytes);
    HD_SET(g->site, site);
}

void __heddle_gone(void *a, uint64_t bytes, uint32_t shared, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (on_own_stack(at))
        end(at, bytes, shared, site);
}

/* ---- locals whose size is known only when they begin (instrument/dynamic.c) ---- */

static uint64_t zone_behind(uint64_t bytes)
{
    return (HD_ZONE_BYTES - bytes % HD_ZONE_BYTES) % HD_ZONE_BYTES + HD_ZONE_BYTES;
}

uint64_t __heddle_dynamic_room(uint64_t count, uint64_t each, uint64_t front, uint32_t site)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    uint64_t sp = (uint64_t)(uintptr_t)__builtin_dwarf_cfa(), bytes;
    uint64_t left = on_own_stack(sp) ? sp - (f->top - f->bytes) : HD_STACK_MOST;
    if (__builtin_mul_overflow(count, each, &bytes) || bytes > left) {
        const struct hd_site *s = &__start_heddle_sites[site];
        const char *name = __start_heddle_strings + s->variable;
        hd_violation(HD_KIND_CRASH, site,
                     "stack overflow: %s%s%s of %llu times %llu bytes does not fit into the %llu "
                     "bytes that are left of the stack",
                     *name ? "`" : "a block", name, *name ? "'" : "", (unsigned long long)count,
                     (unsigned long long)each, (unsigned long long)left);
    }
    return front + bytes + zone_behind(bytes);
}

void __heddle_dynamic_alive(void *a, uint64_t count, uint64_t each)
{
    __heddle_alive(a, count * each, zone_behind(count * each));
}

/* All that the calling function has taken below the address since. */
void __heddle_dynamic_gone(void *up_to, uint32_t shared, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)__builtin_dwarf_cfa(), to = (uint64_t)(uintptr_t)up_to;
    if (!on_own_stack(at) || to <= at || to > rt->fibers[rt->cur].top)
        return;
    end(at, to - at, shared, site);
    hd_define(at, to - at);
    hd_stack_marked(at);
}
uint64_t __heddle_stacked_bytes;

/* What va_start has found: the arguments of the call lie over what was there before. */
void __heddle_alive_arguments(const void *list, uint64_t stacked)
{
    enum { REGISTERS = 176 };
    const struct {
        uint32_t gp, fp;
        char *others, *registers;
    } *l = list;
    if (on_own_stack((uint64_t)(uintptr_t)l->registers))
        set(zones_of((uint64_t)(uintptr_t)l->registers), 0, REGISTERS / 8);
    if (on_own_stack((uint64_t)(uintptr_t)l->others))
        set(zones_of((uint64_t)(uintptr_t)l->others), 0, stacked / 8);
}

/* Clear the zones of [from, to) of the running thread's stack. */
static void forget(uint64_t from, uint64_t to)
{
    uint8_t *zones = zones_of(from & ~7ull), *end = zones_of((to + 7) & ~7ull);
    while (zones < end) {
        bool word = (uintptr_t)zones % 8 == 0 && end - zones >= 8;
        if (word && *(uint64_t *)(void *)zones)
            HD_SET(*(uint64_t *)(void *)zones, 0);
        else if (!word)
            set(zones, 0, 1);
        zones += word ? 8 : 1;
    }
    hd_define(from, to - from);
}

/* Frames were left by an exception or longjmp without the ends of their scopes: clear
 * everything below the caller's frame. */
void __heddle_unwound(void)
{
    struct hd_telling *t = &model->telling[rt->cur];
    uint64_t sp = (uint64_t)(uintptr_t)__builtin_dwarf_cfa(), top = rt->fibers[rt->cur].top;
    uint64_t from = top - t->deepest;
    if (!on_own_stack(sp) || from >= sp)
        return;
    forget(from, sp);
    HD_SET(t->deepest, top - sp);
}

/* The end of the frames of unknown code above `sp`: the stack pointer of the function that
 * called it (core/frame.h); if the call has none, the function's record.  The thread's first
 * call has no record. */
static uint64_t end_of_foreign(uint64_t sp)
{
    uint64_t record = (uint64_t)(uintptr_t)__heddle_frame, top = rt->fibers[rt->cur].top;
    if (record <= sp || record + sizeof *__heddle_frame > top || record % 8)
        return top;
    uint64_t low = (sp & ~0xffffffffull) | __heddle_frame->low;
    return low > sp && low <= top ? low : record;
}

/* Unknown code has called the program: its frames overlay what was there before, and the
 * program may get addresses in them. */
void __heddle_entered(void)
{
    uint64_t sp = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (on_own_stack(sp))
        forget(sp, end_of_foreign(sp));
}

/* ---- accesses ---- */

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* The first byte that belongs to no variable; UINT64_MAX if all belong to one. */
static uint64_t first_bad(const uint8_t *zones, uint64_t at, uint64_t bytes)
{
    uint64_t before = at % 8, n = bytes ? (before + bytes + 7) / 8 : 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = 0;
        if (n - i >= 8)
            memcpy(&word, zones + i, 8);
        if (n - i >= 8 && word == 0)
            i += 7;
        if (!zones[i])
            continue;
        uint64_t from = i ? 0 : before, to = i < n - 1 ? 7 : (before + bytes - 1) % 8;
        uint64_t bad = zones[i] >= 8 || zones[i] < from ? from : zones[i];
        if (bad <= to)
            return 8 * i + bad - before;
    }
    return UINT64_MAX;
}

static _Noreturn void use_of_gone(uint32_t thread, uint64_t at, uint64_t bytes, uint32_t site,
                                  const char *word)
{
    for (uint64_t i = 0; i < HD_MOST_GONE; i++) {
        const struct hd_gone *g = &model->telling[thread].gone[i];
        const struct hd_site *s = &__start_heddle_sites[g->site];
        if (at - g->at < g->bytes && g->site < __start_heddle_info->n_sites)
            hd_violation(HD_KIND_MEMORY, site,
                         "%s of %llu byte%s of a local variable of %s, whose scope has ended at "
                         "%s:%u",
                         word, (unsigned long long)bytes, plural(bytes),
                         __start_heddle_strings + s->function, __start_heddle_strings + s->file,
                         s->line);
    }
    hd_violation(HD_KIND_MEMORY, site,
                 "%s of %llu byte%s of a local variable whose scope has ended", word,
                 (unsigned long long)bytes, plural(bytes));
}

/* Do some of the eight bytes belong to a variable? */
static bool is_owned(uint8_t zone) { return zone < 8; }

static uint8_t zone_at(uint64_t at)
{
    const struct hd_fiber *f = &rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE];
    return at < f->top && at >= f->top - f->bytes ? *zones_of(at) : HD_GONE;
}

/* The end (begin) of the nearest local below (above) an address in a zone; 0 if there is none
 * next to the zone. */
static uint64_t end_below(uint64_t at)
{
    uint64_t word = at & ~7ull;
    while (zone_at(word) == HD_ZONE)
        word -= 8;
    uint8_t zone = zone_at(word);
    return !is_owned(zone) ? 0 : word + (zone ? zone : 8);
}

static uint64_t begin_above(uint64_t at)
{
    uint64_t word = at & ~7ull;
    while (zone_at(word) == HD_ZONE)
        word += 8;
    return is_owned(zone_at(word)) ? word : 0;
}

/* The begin of the local whose last byte is at `last`, and its size. */
static uint64_t begin_of(uint64_t last)
{
    uint64_t word = last & ~7ull;
    while (is_owned(zone_at(word - 8)))
        word -= 8;
    return word;
}

static uint64_t size_of(uint64_t begin)
{
    uint64_t n = 0;
    while (zone_at(begin + n) == 0)
        n += 8;
    return n + (is_owned(zone_at(begin + n)) ? zone_at(begin + n) : 0);
}

/* Where the name is that the code has put in front of the local; 0: there is none. */
static uint32_t name_at(uint64_t begin)
{
    uint64_t mark = 0, at = begin - sizeof mark;
    if (zone_at(at) == HD_ZONE)
        hd_view_load(rt->cur, (void *)(uintptr_t)at, &mark, sizeof mark);
    bool known = mark >> 32 == HD_ZONE_MARK && (uint32_t)mark < __start_heddle_info->n_strings;
    return known ? (uint32_t)mark : 0;
}

static const char *name_of(uint64_t begin) { return __start_heddle_strings + name_at(begin); }

void hd_zones_local(uint64_t at, uint32_t *name, uint32_t *offset)
{
    enum { MOST_BYTES = 1 << 16 }; /* of a local: without zones a whole stack looks like one */
    const struct hd_fiber *f = &rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE];
    uint64_t word = at & ~7ull;
    if (!f->bytes || !is_owned(zone_at(word)))
        return;
    while (is_owned(zone_at(word - 8)) && at - word < MOST_BYTES)
        word -= 8;
    uint32_t found = name_at(word);
    if (!found)
        return;
    *name = found;
    *offset = (uint32_t)(at - word);
}

/* `bad`: the first byte that does not belong to the local. */
static _Noreturn void beside_local(uint64_t at, uint64_t bad, uint64_t bytes, uint32_t site,
                                   const char *word)
{
    uint64_t below = end_below(bad), above = begin_above(bad);
    bool is_above = above && (!below || above - bad < bad - below);
    uint64_t begin = is_above ? above : below ? begin_of(below - 1) : 0;
    if (!begin)
        hd_violation(HD_KIND_MEMORY, site, "overflow: %s of %llu byte%s beside a local variable",
                     word, (unsigned long long)bytes, plural(bytes));
    const char *name = name_of(begin);
    hd_violation(HD_KIND_MEMORY, site,
                 "overflow: %s of %llu byte%s at offset %lld of %s%s%s of %llu", word,
                 (unsigned long long)bytes, plural(bytes), (long long)(at - begin),
                 *name ? "`" : "a local variable", name, *name ? "'" : "",
                 (unsigned long long)size_of(begin));
}

void hd_zones_bad(uint64_t at, uint64_t bytes, uint32_t site, const char *word)
{
    const struct hd_fiber *f = &rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE];
    uint64_t here = at < f->top ? f->top - at : 1;
    uint64_t bad = first_bad(zones_of(at), at, bytes < here ? bytes : here);
    if (bad == UINT64_MAX)
        return;
    if (*zones_of(at + bad) == HD_GONE)
        use_of_gone((uint32_t)((at - HD_STACK_BASE) / HD_STACK_STRIDE), at + bad, bytes, site,
                    word);
    beside_local(at, at + bad, bytes, site, word);
}

void hd_zones_variables(uint64_t at, uint64_t bytes, uint32_t site)
{
    const uint8_t *zones = rt->zones + (at - rt->zones_begin) / 8;
    uint64_t here = rt->zones_begin + rt->zones_bytes - at;
    if (first_bad(zones, at, bytes < here ? bytes : here) == UINT64_MAX)
        return;
    const struct variable *nearest = NULL;
    for (uint64_t i = 0; i < __heddle_n_variables; i++) {
        const struct variable *v = &__heddle_variables[i];
        if (v->begin <= at && (!nearest || v->begin > nearest->begin))
            nearest = v;
    }
    if (nearest)
        __heddle_outside((void *)(uintptr_t)at, bytes, (void *)(uintptr_t)nearest->begin,
                         nearest->bytes, (uint32_t)nearest->name, site);
}

void __heddle_within(const void *a, uint64_t n, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (n == 0)
        return;
    if (at - rt->zones_begin < rt->zones_bytes)
        hd_zones_variables(at, n, site);
    else if (hd_in_stacks(at) && rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE].bytes)
        hd_zones_check(at, n < HD_STACK_STRIDE ? n : 1, site, "access");
}

/* `name`: that of the variable; 0: it is an array inside of one, which the access names. */
void __heddle_outside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                      uint32_t site)
{
    int64_t offset = (int64_t)((uint64_t)(uintptr_t)a - (uint64_t)(uintptr_t)base);
    const struct hd_site *s = &__start_heddle_sites[site];
    const char *text = __start_heddle_strings + (name ? name : s->variable);
    if (name)
        hd_violation(HD_KIND_MEMORY, site,
                     "overflow: access to %llu byte%s at offset %lld of `%s' of %llu",
                     (unsigned long long)n, plural(n), (long long)offset, text,
                     (unsigned long long)size);
    hd_violation(
        HD_KIND_MEMORY, site,
        "overflow: access to %llu byte%s at offset %lld of an array of %llu byte%s%s%s%s",
        (unsigned long long)n, plural(n), (long long)offset, (unsigned long long)size,
        plural(size), *text ? ": `" : "", text, *text ? "'" : "");
}

/* The same of an array at the end of a structure, which may be longer in a block of the heap;
 * whether the access stays in the block is looked at where it is made. */
void __heddle_outside_last(const void *a, uint64_t n, const void *base, uint64_t size,
                           uint32_t name, uint32_t site)
{
    if (!hd_in_heap((uint64_t)(uintptr_t)base))
        __heddle_outside(a, n, base, size, name, site);
}

void __heddle_inside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                     uint32_t site)
{
    uint64_t offset = (uint64_t)(uintptr_t)a - (uint64_t)(uintptr_t)base;
    if (n && (n > size || offset > size - n))
        __heddle_outside(a, n, base, size, name, site);
}

void __heddle_apart(const void *to, const void *from, uint64_t n, uint32_t site)
{
    uint64_t a = (uint64_t)(uintptr_t)to, b = (uint64_t)(uintptr_t)from;
    uint64_t distance = a > b ? a - b : b - a;
    if (distance && distance < n)
        hd_violation(HD_KIND_MEMORY, site,
                     "overlap: a copy of %llu bytes to memory that begins %llu byte%s %s its "
                     "source; memmove may copy so",
                     (unsigned long long)n, (unsigned long long)distance, plural(distance),
                     a > b ? "after" : "before");
}

uint64_t hd_zones_clip(uint64_t at, uint64_t n)
{
    uint64_t bad = UINT64_MAX, left = rt->zones_begin + rt->zones_bytes - at;
    if (at - rt->zones_begin < rt->zones_bytes) {
        bad = first_bad(rt->zones + (at - rt->zones_begin) / 8, at, n < left ? n : left);
    } else if (hd_in_stacks(at)) {
        const struct hd_fiber *f = &rt->fibers[(at - HD_STACK_BASE) / HD_STACK_STRIDE];
        left = f->bytes && at < f->top ? f->top - at : 0;
        bad = first_bad(zones_of(at), at, n < left ? n : left);
    }
    return bad == UINT64_MAX ? n : bad + 1;
}

uint64_t __heddle_string_bytes(const char *text, uint64_t most)
{
    uint64_t n = 0;
    while (n < most) {
        uint64_t here = 4096 - ((uintptr_t)(text + n) & 4095);
        here = here < most - n ? here : most - n;
        if (hd_probe(text + n, text + n, false) != UINT64_MAX)
            break; /* the call itself faults there */
        uint64_t found = strnlen(text + n, here);
        n += found;
        if (found < here) {
            n++;
            break;
        }
    }
    return hd_zones_clip((uint64_t)(uintptr_t)text, n);
}
