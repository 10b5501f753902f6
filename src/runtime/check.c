/* Checks that the memory exists which the program is about to access.
 *
 * Accesses to globals never come here (hd_checked).  What does: the heap, where the bytes must
 * be those of a live block; stacks and thread-local storage, which end with their threads;
 * heddle's own memory. */
#include "runtime/heap.h"
#include "runtime/memory.h"
#include "runtime/undefined.h"
#include "runtime/zones.h"

#include <signal.h>
#include <string.h>

static const char *word_for(enum hd_op op)
{
    switch (op) {
    case HD_OP_READ:
    case HD_OP_ATOMIC_READ:
    case HD_OP_FUTEX_READ:
        return "read";
    case HD_OP_WRITE:
    case HD_OP_ATOMIC_WRITE:
    case HD_OP_RMW:
    case HD_OP_CAS:
        return "write";
    default:
        return "use";
    }
}

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* The bytes [at, at + bytes) are not all in one live block: report what they are. */
static _Noreturn void bad_heap(uint64_t at, uint64_t bytes, enum hd_op op, uint32_t site)
{
    const struct hd_block *b = hd_block_at(at);
    const char *word = word_for(op);
    unsigned long long n = bytes;
    if (!b || b->state == HD_BLOCK_NONE)
        hd_violation(HD_KIND_MEMORY, site,
                     "%s of %llu byte%s at %#llx, where there is no heap block", word, n,
                     plural(bytes), (unsigned long long)at);
    unsigned long long size = b->size;
    if (at < b->at)
        hd_violation_block(b, site,
                           "heap underflow: %s of %llu byte%s, %llu before a block of %llu", word,
                           n, plural(bytes), (unsigned long long)(b->at - at), size);
    if (at - b->at > b->size || bytes > b->size - (at - b->at))
        hd_violation_block(b, site,
                           "heap overflow: %s of %llu byte%s at offset %llu of a %sblock of %llu",
                           word, n, plural(bytes), (unsigned long long)(at - b->at),
                           b->state == HD_BLOCK_FREED ? "freed " : "", size);
    if (op == HD_OP_NONE)
        hd_violation_block(
            b, site,
            "use after free: of a synchronisation object at offset %llu of a freed "
            "block of %llu",
            (unsigned long long)(at - b->at), size);
    hd_violation_block(
        b, site, "use after free: %s of %llu byte%s at offset %llu of a freed block of %llu",
        word, n, plural(bytes), (unsigned long long)(at - b->at), size);
}

static bool is_block(uint64_t at, uint64_t bytes)
{
    const struct hd_block *b = hd_block_at(at);
    return b && b->state == HD_BLOCK_LIVE && at - b->at <= b->size &&
           bytes <= b->size - (at - b->at);
}

/* Written bytes are defined from now on. */
static inline void note_write(uint64_t at, uint64_t bytes, enum hd_op op, uint32_t site)
{
    if (hd_op_table[op].access == HD_ACCESS_READ || op == HD_OP_NONE)
        return;
    if (op == HD_OP_RMW || op == HD_OP_CAS)
        hd_undefined_atomic(at, bytes, site);
    hd_define(at, bytes);
}

static inline void check_there(const void *a, uint64_t bytes, enum hd_op op, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    if (hd_in_heap(at)) {
        if (HD_UNLIKELY(!is_block(at, bytes)))
            bad_heap(at, bytes, op, site);
        return;
    }
    uint64_t thread = (at - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (thread < HD_MAX_THREADS) {
        if (HD_UNLIKELY(thread != rt->cur &&
                        model->threads[thread].flags & (HD_THREAD_EXITED | HD_THREAD_LEFT)))
            hd_violation(HD_KIND_MEMORY, site,
                         "%s of %llu byte%s of the %s of a thread that has ended", word_for(op),
                         (unsigned long long)bytes, plural(bytes),
                         (at - HD_STACK_BASE) % HD_STACK_STRIDE < HD_STACK_STRIDE - HD_STACK_MOST
                             ? "thread-local storage"
                             : "stack");
        if (rt->fibers[thread].bytes)
            hd_zones_check(at, bytes, site, word_for(op));
        return;
    }
    if (at + bytes > HD_OWN_BEGIN && at < HD_OWN_END) {
        bool reads = hd_op_table[op].access == HD_ACCESS_READ || op == HD_OP_CAS;
        hd_violation(HD_KIND_MEMORY, site,
                     reads ? "wild access to %p, which is memory of heddle itself"
                           : "wild write to %p, which is memory of heddle itself (prevented)",
                     a);
    }
}

void hd_check_memory(const void *a, uint64_t bytes, enum hd_op op, uint32_t site)
{
    check_there(a, bytes, op, site);
    note_write((uint64_t)(uintptr_t)a, bytes, op, site);
}

static bool is_written(enum hd_op op)
{
    return op == HD_OP_WRITE || op == HD_OP_ATOMIC_WRITE || op == HD_OP_RMW;
}

static _Noreturn void crash_at(uint64_t at, uint32_t site)
{
    hd_violation(HD_KIND_CRASH, site, "segmentation fault at address %#llx",
                 (unsigned long long)at);
}

/* Does the program handle the signal itself?  Then it gets the fault. */
static bool handles_faults(void)
{
    void (*handler)(int) = model->signals.dispositions[SIGSEGV].handler;
    return handler != SIG_DFL && handler != SIG_IGN;
}

/* The last byte of the range, which may reach beyond the end of all addresses. */
static uint64_t last_byte(uint64_t at, uint64_t bytes)
{
    return bytes - 1 > UINT64_MAX - at ? UINT64_MAX : at + bytes - 1;
}

bool hd_is_there(const void *a, uint64_t bytes)
{
    uint64_t last = last_byte((uint64_t)(uintptr_t)a, bytes);
    return bytes == 0 || hd_probe(a, (const void *)last, true) == UINT64_MAX;
}

void hd_check_room(const void *a, uint64_t bytes, enum hd_op op, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)a, last = last_byte(at, bytes);
    if (bytes == 0)
        return;
    if (last >= HD_OWN_BEGIN && at < HD_LAYOUT_END)
        check_there(a, bytes, op, site);
    hd_zones_check_variables(at, bytes, site);
    if (HD_LIKELY(hd_in_heap(at)) || handles_faults())
        return;
    uint64_t bad = hd_probe(a, (const void *)last, is_written(op));
    if (HD_UNLIKELY(bad != UINT64_MAX))
        crash_at(bad, site);
}

void hd_check_range(const void *a, uint64_t bytes, enum hd_op op, uint32_t site)
{
    hd_check_room(a, bytes, op, site);
    if (bytes)
        note_write((uint64_t)(uintptr_t)a, bytes, op, site);
}

/* Bytes up to the end of the live heap block that the address lies in. */
static uint64_t room(const void *a)
{
    uint64_t at = (uint64_t)(uintptr_t)a;
    const struct hd_block *b = hd_block_at(at);
    bool inside = b && b->state == HD_BLOCK_LIVE && at - b->at < b->size;
    return inside ? b->size - (at - b->at) : UINT64_MAX;
}

/* Search page by page: memory beyond the end of the object may not exist.  The search stays
 * inside a heap block, as its arena is huge. */
static uint64_t scan(const char *a, int byte, uint64_t most, uint32_t site)
{
    uint64_t inside = most < room(a) ? most : room(a);
    for (uint64_t n = 0; n < inside;) {
        uint64_t here = 4096 - ((uintptr_t)(a + n) & 4095);
        here = here < inside - n ? here : inside - n;
        hd_check_range(a + n, 1, HD_OP_READ, site);
        const char *found = hd_view_find(rt->cur, a + n, byte, here);
        if (found)
            return (uint64_t)(found - a) + 1;
        n += here;
    }
    return inside < most ? inside + 1 : most;
}

uint64_t hd_scan_bytes(const char *a, int byte, uint64_t most, uint32_t site)
{
    return hd_zones_clip((uint64_t)(uintptr_t)a, scan(a, byte, most, site));
}

uint64_t hd_string_bytes(const char *a, uint64_t most, uint32_t site)
{
    return hd_scan_bytes(a, 0, most, site);
}

void hd_check_object_of_program(const void *object, uint32_t site)
{
    hd_check_memory(object, 1, HD_OP_NONE, site);
}

void hd_touched_null(const void *object, uint32_t site)
{
    hd_violation(HD_KIND_CRASH, site, "segmentation fault at address %#llx",
                 (unsigned long long)(uintptr_t)object);
}
