/* What every access hook does before it touches memory. */
#ifndef HD_RUNTIME_MEMORY_H
#define HD_RUNTIME_MEMORY_H

#include "core/abi.h"
#include "runtime/view.h"

#include <stdint.h>

typedef unsigned __int128 uint128_t;

/* check.c: a violation unless all bytes exist. */
void hd_check_memory(const void *a, uint64_t bytes, enum hd_op op, uint32_t site);

/* A violation unless every byte can be read, or written; for memory of any length, also of
 * kinds that only the processor knows.  Nothing is touched before that is known.  So nothing is
 * logged that cannot be restored, and a replay, which logs nothing, fails at the same place. */
void hd_check_range(const void *a, uint64_t bytes, enum hd_op op, uint32_t site);
/* The same for a range of which only a part may be written: none of it becomes defined yet. */
void hd_check_room(const void *a, uint64_t bytes, enum hd_op op, uint32_t site);
/* Can the processor write the range? */
bool hd_is_there(const void *a, uint64_t bytes);
/* The bytes of a string with its NUL, of which at most `most` are read; a violation unless they
 * exist. */
uint64_t hd_string_bytes(const char *a, uint64_t most, uint32_t site);
/* The same for the bytes up to the first `byte`, and that one. */
uint64_t hd_scan_bytes(const char *a, int byte, uint64_t most, uint32_t site);
/* probe.S */
uint64_t hd_probe(const void *at, const void *last, bool writes);

/* Check what the processor does not: could the access be wrong in a way that only heddle
 * sees? */
static inline void hd_check_access(const void *a, uint64_t bytes, enum hd_op op, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (HD_UNLIKELY(at + bytes > HD_OWN_BEGIN && at < HD_LAYOUT_END))
        hd_check_memory(a, bytes, op, site);
}

/* Store what a call returns by a pointer, 4 or 8 bytes, in the step of the call.  Where plain
 * accesses are events, the store is one, which follows that of the call. */
void hd_store_result(void *at, const void *from, uint32_t bytes, uint32_t site);

static inline void hd_before_access(enum hd_op op, const void *a, uint64_t bytes, uint32_t site)
{
    if (HD_LIKELY(!rt->solo_fast))
        hd_act_full(op, a, NULL, (uint32_t)bytes, site, 1);
    hd_check_access(a, bytes, op, site);
}

/* The same for an atomic access. */
static inline void hd_before_ordered(enum hd_op op, const void *a, uint64_t bytes, uint32_t order,
                                     uint32_t site)
{
    if (HD_LIKELY(!rt->solo_fast)) {
        if (HD_UNLIKELY(order != HD_ORDER_STRONG))
            hd_orders_less(HD_LESS_ATOMIC);
        hd_post(op, a, NULL, (uint32_t)bytes, site, 1)->order = (uint8_t)order;
        if (!hd_engine_fast_path())
            hd_point();
    }
    hd_check_access(a, bytes, op, site);
}

static inline void hd_before_atomic(enum hd_op op, const void *a, uint64_t bytes, uint32_t order,
                                    uint32_t site)
{
    hd_before_ordered(op, a, bytes, hd_site_order(site, order), site);
}

/* The hooks that instrumented code calls: core/abi.h says what each does. */
#define HD_WIDTH(bits, bytes)                                                                    \
    uint##bits##_t __heddle_load##bytes(const void *a, uint32_t site);                           \
    void __heddle_store##bytes(void *a, uint##bits##_t v, uint32_t site);                        \
    uint##bits##_t __heddle_vload##bytes(const void *a, uint32_t site);                          \
    void __heddle_vstore##bytes(void *a, uint##bits##_t v, uint32_t site);                       \
    uint##bits##_t __heddle_aload##bytes(const void *a, uint32_t order, uint32_t site);          \
    void __heddle_astore##bytes(void *a, uint##bits##_t v, uint32_t order, uint32_t site);       \
    uint##bits##_t __heddle_rmw##bytes(void *a, uint##bits##_t v, uint32_t how, uint32_t order,  \
                                       uint32_t site);                                           \
    uint##bits##_t __heddle_cas##bytes(void *a, uint##bits##_t expected, uint##bits##_t desired, \
                                       uint32_t order, uint32_t site);
#include "runtime/widths.def"
#undef HD_WIDTH
void __heddle_load_n(const void *a, void *into, uint64_t n, uint32_t site);
/* Like __heddle_load_n, into memory that is part of the state: the change is logged. */
void hd_load_logged(const void *a, void *into, uint64_t n, uint32_t site);
void __heddle_store_n(void *a, const void *from, uint64_t n, uint32_t site);
void __heddle_aload_n(const void *a, void *into, uint64_t n, uint32_t order, uint32_t site);
void __heddle_astore_n(void *a, const void *from, uint64_t n, uint32_t order, uint32_t site);
void __heddle_will_rmw(void *a, uint64_t n, uint32_t order, uint32_t site);
void __heddle_copy(void *to, const void *from, uint64_t n, uint32_t site);
void __heddle_fill(void *to, uint8_t byte, uint64_t n, uint32_t site);
void __heddle_will_read(const void *a, uint64_t n, uint32_t site);
void __heddle_will_write(void *a, uint64_t n, uint32_t site);
void __heddle_may_write(void *a, uint64_t n, uint32_t site);
void __heddle_will_read_string(const char *a, uint64_t most, uint32_t site);
void __heddle_keep(void *a, uint64_t n);
void __heddle_fence(uint32_t order, uint32_t site);
void __heddle_barrier(uint32_t site);
uint32_t __heddle_cas_fails(uint32_t site);
#define HD_WIDTH(bits, bytes)                                                                    \
    uint##bits##_t __heddle_bits##bytes(const void *a, uint32_t site);                           \
    void __heddle_set_bits##bytes(void *a, uint##bits##_t v);
#include "runtime/widths.def"
#undef HD_WIDTH
void __heddle_bits_n(const void *a, void *into, uint64_t n, uint32_t site);
void __heddle_set_bits_n(void *a, const void *bits, uint64_t n);
void __heddle_copy_bits(void *to, const void *from, uint64_t n);
void __heddle_declare(void *a, uint64_t n);
void __heddle_defined(void *a, uint64_t n);
void __heddle_defined_string(char *a, uint64_t most);
void __heddle_used(const void *a, uint64_t n, uint32_t site);
void __heddle_used_string(const char *a, uint64_t most, uint32_t site);
void __heddle_used_compared(const char *a, const char *b, uint64_t n, uint32_t how,
                            uint32_t site);
void __heddle_undefined(uint32_t use, uint32_t site, uint32_t origin);
void __heddle_foreign_wrote(uint32_t site);
void __heddle_alive(void *a, uint64_t bytes, uint64_t zone);
void __heddle_gone(void *a, uint64_t bytes, uint32_t shared, uint32_t site);
uint64_t __heddle_dynamic_room(uint64_t count, uint64_t each, uint64_t front, uint32_t site);
void __heddle_dynamic_alive(void *a, uint64_t count, uint64_t each);
void __heddle_dynamic_gone(void *up_to, uint32_t shared, uint32_t site);
void __heddle_alive_arguments(const void *list, uint64_t stacked);
extern uint64_t __heddle_stacked_bytes;
void __heddle_unwound(void);
void __heddle_entered(void);
void __heddle_within(const void *a, uint64_t n, uint32_t site);
void __heddle_apart(const void *to, const void *from, uint64_t n, uint32_t site);
void __heddle_inside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                     uint32_t site);
_Noreturn void __heddle_outside(const void *a, uint64_t n, const void *base, uint64_t size,
                                uint32_t name, uint32_t site);
void __heddle_outside_last(const void *a, uint64_t n, const void *base, uint64_t size,
                           uint32_t name, uint32_t site);
uint64_t __heddle_string_bytes(const char *text, uint64_t most);
extern uint64_t __heddle_argument_bits[HD_MAX_ARGUMENT_BITS];
extern uint64_t __heddle_result_bits[HD_MAX_RESULT_BITS];
void __heddle_await_begin(void);
void __heddle_await_saw(const void *at, uint64_t size);
void __heddle_await_wrote(const void *at, uint64_t size, uint32_t unchanged);
void __heddle_await_tried(const void *object, uint32_t op, uint32_t in_vain);
void __heddle_await(uint32_t kind, uint32_t differs, uint32_t site);
void __heddle_spin(uint32_t site);
void __heddle_shown(uint64_t value, uint32_t index, uint32_t size, uint32_t site);
void __heddle_shown_pointer(const void *value, uint32_t index, uint32_t size, uint32_t site);
int64_t __heddle_now_after_wait(void);
void __heddle_compared(const void *a, const void *b, uint32_t site);
void __heddle_compared_bytes(const void *a, const void *b, uint64_t n, uint32_t site);
_Noreturn void __heddle_unreachable(uint32_t site);
void __heddle_opaque(uint32_t site);
/* start.c: the same for a call that leaves the bytes of all mapped files alone; for one that
 * takes these addresses away or protects them, or others that are not known (NULL), and leaves
 * the bytes alone. */
void hd_opaque_apart(uint32_t site);
void hd_opaque_range(const void *at, uint64_t bytes, uint32_t site);
void __heddle_opaque_end(uint32_t site);

#endif
