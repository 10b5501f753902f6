/* Plain accesses: each is an action, then performed here.
 *
 * While a thread is solo (or inside an atomic section, or evaluating an invariant) its accesses
 * are performed without asking. */
#include "runtime/memory.h"

#include "core/site.h"

enum { LONG_DOUBLE = 10 }; /* bytes of one */

/* Of accesses whose values are recorded in a replay, or given by the search: what a load
 * returns where memory holds v; whether a store is to go to memory. */
#define HD_WIDTH(bits, bytes)                                                                    \
    static                                                                                       \
        __attribute__((noinline)) uint##bits##_t loaded##bits(const void *a, uint##bits##_t v)   \
    {                                                                                            \
        if (rt->plain_events && !rt->solo_fast && !HD_IS_MAPPED(a))                              \
            hd_weak_plain_load(a, &v, bytes);                                                    \
        if (rt->mode == HD_REPLAYING)                                                            \
            hd_replay_values((uint64_t)v, 0, HD_STEP_HAS_READ);                                  \
        return v;                                                                                \
    }                                                                                            \
    static __attribute__((noinline)) bool stored##bits(void *a, uint##bits##_t v)                \
    {                                                                                            \
        if (rt->mode == HD_REPLAYING)                                                            \
            hd_replay_values(0, (uint64_t)v, HD_STEP_HAS_WRITTEN);                               \
        return !rt->plain_events || rt->solo_fast || HD_IS_MAPPED(a) ||                          \
               hd_weak_plain_store(a, &v, bytes);                                                \
    }                                                                                            \
    uint##bits##_t __heddle_load##bytes(const void *a, uint32_t site)                            \
    {                                                                                            \
        hd_before_access(HD_OP_READ, a, bytes, site);                                            \
        uint##bits##_t v;                                                                        \
        hd_view_load(rt->cur, a, &v, bytes);                                                     \
        if (HD_UNLIKELY(rt->values))                                                             \
            v = loaded##bits(a, v);                                                              \
        return v;                                                                                \
    }                                                                                            \
    void __heddle_store##bytes(void *a, uint##bits##_t v, uint32_t site)                         \
    {                                                                                            \
        hd_before_access(HD_OP_WRITE, a, bytes, site);                                           \
        if (HD_UNLIKELY(rt->values) && !stored##bits(a, v))                                      \
            return;                                                                              \
        hd_view_store(rt->cur, a, &v, bytes);                                                    \
    }
#include "runtime/widths.def"
#undef HD_WIDTH

void hd_store_result(void *at, const void *from, uint32_t bytes, uint32_t site)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    if (HD_LIKELY(!rt->plain_events) || rt->solo_fast)
        hd_view_store_result(rt->cur, at, from, bytes);
    else if (bytes == sizeof(uint32_t))
        __heddle_store4(at, (uint32_t)value, site);
    else
        __heddle_store8(at, value, site);
}

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

static bool is_long_double(uint64_t n, uint32_t site)
{
    static const char name[] = "long double@";
    if (n != LONG_DOUBLE || !site || site >= __start_heddle_info->n_sites ||
        __start_heddle_sites[site].op == HD_OP_NONE)
        return false;
    const char *type = __start_heddle_strings + __start_heddle_sites[site].type;
    return __builtin_strncmp(type, name, sizeof name - 1) == 0;
}

/* What a log has of a value: 8 bytes; of a long double, the nearest double. */
static uint64_t low_bytes(const void *a, uint64_t n, uint32_t site)
{
    uint64_t v = 0;
    if (is_long_double(n, site)) {
        long double wide = 0;
        hd_view_load(rt->cur, a, &wide, n);
        double narrow = (double)wide;
        __builtin_memcpy(&v, &narrow, sizeof v);
        return v;
    }
    hd_view_load(rt->cur, a, &v, n < 8 ? n : 8);
    return v;
}

/* An access in which no value is given by the search: it reads and writes memory. */
static void act_on_range(enum hd_op op, const void *a, uint64_t n, uint32_t site)
{
    hd_post(op, a, NULL, (uint32_t)n, site, 1);
    if (HD_UNLIKELY(rt->plain_events))
        hd_next_now()->order = HD_ORDER_RANGE;
    if (!hd_engine_fast_path())
        hd_point();
}

/* The step of an access of n bytes, which must all exist.  Nothing is as long as a region of
 * the heap, so a larger length is wrong before the step. */
static void before_range(enum hd_op op, const void *a, uint64_t n, uint32_t site)
{
    if (HD_UNLIKELY(n > HD_HEAP_REGION))
        hd_check_range(a, n, op, site);
    if (HD_LIKELY(!rt->solo_fast))
        act_on_range(op, a, n, site);
    hd_check_range(a, n, op, site);
}

/* An access of no bytes touches nothing, but a search for a target must see the place. */
static void passes_by(uint32_t site)
{
    if (HD_UNLIKELY(rt->shared && rt->shared->route.n_targets && !rt->solo_fast))
        hd_act(HD_OP_YIELD, NULL, NULL, 0, site);
}

void __heddle_load_n(const void *a, void *into, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    before_range(HD_OP_READ, a, n, site);
    hd_view_load(rt->cur, a, into, n);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(low_bytes(a, n, site), 0, HD_STEP_HAS_READ);
}

void hd_load_logged(const void *a, void *into, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    before_range(HD_OP_READ, a, n, site);
    hd_log_range(into, n);
    hd_view_load(rt->cur, a, into, n);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(low_bytes(a, n, site), 0, HD_STEP_HAS_READ);
}

void __heddle_store_n(void *a, const void *from, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    before_range(HD_OP_WRITE, a, n, site);
    hd_log_known(a, n);
    hd_view_write(rt->cur, a, from, n);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(0, low_bytes(a, n, site), HD_STEP_HAS_WRITTEN);
}

void __heddle_copy(void *to, const void *from, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    if (HD_UNLIKELY(n > HD_HEAP_REGION))
        hd_check_range(from, n, HD_OP_READ, site);
    if (HD_LIKELY(!rt->solo_fast))
        hd_act(HD_OP_COPY, to, from, (uint32_t)n, site);
    hd_check_range(from, n, HD_OP_READ, site);
    hd_check_range(to, n, HD_OP_WRITE, site);
    hd_log_known(to, n);
    hd_view_copy(rt->cur, to, from, n);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(low_bytes(to, n, site), low_bytes(to, n, site),
                         HD_STEP_HAS_READ | HD_STEP_HAS_WRITTEN);
}

void __heddle_fill(void *to, uint8_t byte, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    before_range(HD_OP_WRITE, to, n, site);
    hd_log_known(to, n);
    hd_view_fill(rt->cur, to, byte, n);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(0, low_bytes(to, n, site), HD_STEP_HAS_WRITTEN);
}

void __heddle_will_read(const void *a, uint64_t n, uint32_t site)
{
    if (n)
        before_range(HD_OP_READ, a, n, site);
    else
        passes_by(site);
}

void __heddle_will_write(void *a, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    before_range(HD_OP_WRITE, a, n, site);
    hd_log_known(a, n);
}

void __heddle_may_write(void *a, uint64_t n, uint32_t site)
{
    if (n == 0) {
        passes_by(site);
        return;
    }
    if (HD_UNLIKELY(n > HD_HEAP_REGION))
        hd_check_room(a, n, HD_OP_WRITE, site);
    if (HD_LIKELY(!rt->solo_fast))
        act_on_range(HD_OP_WRITE, a, n, site);
    hd_check_room(a, n, HD_OP_WRITE, site);
    hd_log_known(a, n);
}

void __heddle_will_read_string(const char *a, uint64_t most, uint32_t site)
{
    __heddle_will_read(a, hd_string_bytes(a, most, site), site);
}

/* The store itself follows, and faults at its own place if the memory does not exist. */
void __heddle_keep(void *a, uint64_t n)
{
    if (hd_is_there(a, n))
        hd_log_known(a, n);
}
