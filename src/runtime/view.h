/* The tested program's memory, as a thread sees it.  The runtime loads and stores it only
 * through this interface: the place where a memory model plugs in
 * (docs/design/013-memory-access.md).
 *
 * An access comes here when its step runs: it has been posted as an action, decided on, and its
 * address has been checked.  The functions below say what it then does to memory.
 *
 *   plain accesses   hd_view_load, hd_view_store, hd_view_write and their variants
 *   atomic accesses  hd_view_atomic_load, hd_view_atomic_store; a read-modify-write is a load,
 *                    and a store if it succeeds, in one step
 *   no access        hd_view_peek: what the thread would read if it made an atomic load now
 *
 * Under sequential consistency all threads see the bytes that memory holds.  Under a weak
 * memory model the search decides what an atomic load returns and whether memory is to hold an
 * atomic store (weak.c).  `order` is not used: the action carries it.
 *
 * Every store is logged first, so that a rewind brings the old bytes back.
 *
 * Other uses of memory do not go through this interface: the undo log, snapshots and hashes of
 * states treat memory as bytes of the world (undo.c, world.c, state.c, symmetry.c, cycle.c),
 * and the headers of heap blocks belong to the runtime (block.h).  Library functions that run
 * natively read and write memory themselves, after a step that announced the range
 * (__heddle_will_read and __heddle_will_write). tools/view.sh checks that there is nothing
 * else. */
#ifndef HD_RUNTIME_VIEW_H
#define HD_RUNTIME_VIEW_H

#include "runtime/rt.h"

#include <string.h>

/* Inlined always: with a constant size each is one or two instructions, and a frame of its
 * own would be part of every saved stack slice. */
#define HD_VIEW static inline __attribute__((always_inline))

HD_VIEW void hd_view_load(uint32_t thread, const void *at, void *into, uint64_t bytes)
{
    (void)thread;
    memcpy(into, at, bytes);
}

HD_VIEW void hd_view_log_words(void *at, uint32_t bytes)
{
    (void)*(const volatile char *)at; /* a fault names this address, not that of its word */
    hd_log_word(at);
    if (HD_UNLIKELY((((uintptr_t)at & 7) + bytes) > 8)) {
        hd_log_word((char *)at + 8);
        if (((uintptr_t)at & 7) + bytes > 16)
            hd_log_word((char *)at + 16);
    }
}

/* Store at most 16 bytes.  The processor checks that they are there. */
HD_VIEW void hd_view_store(uint32_t thread, void *at, const void *from, uint32_t bytes)
{
    (void)thread;
    hd_view_log_words(at, bytes);
    memcpy(at, from, bytes);
}

/* Store a result of a library call in the step of the call: a violation unless it can be
 * written. */
HD_VIEW void hd_view_store_result(uint32_t thread, void *at, const void *from, uint64_t bytes)
{
    (void)thread;
    hd_log_range(at, bytes);
    memcpy(at, from, bytes);
}

/* The next three store into a range that has been logged (hd_log_word, hd_log_known,
 * hd_log_range or __heddle_will_write), or that belongs to a block which the step has just
 * allocated. */
HD_VIEW void hd_view_write(uint32_t thread, void *at, const void *from, uint64_t bytes)
{
    (void)thread;
    memcpy(at, from, bytes);
}
HD_VIEW void hd_view_copy(uint32_t thread, void *to, const void *from, uint64_t bytes)
{
    (void)thread;
    memmove(to, from, bytes);
}
HD_VIEW void hd_view_fill(uint32_t thread, void *to, int byte, uint64_t bytes)
{
    (void)thread;
    memset(to, byte, bytes);
}

/* Does the range hold these bytes? */
HD_VIEW bool hd_view_holds(uint32_t thread, const void *at, const void *bytes, uint64_t n)
{
    (void)thread;
    return memcmp(at, bytes, n) == 0;
}

/* A character of a wide string. */
HD_VIEW wchar_t hd_view_wide(uint32_t thread, const wchar_t *at)
{
    wchar_t c;
    hd_view_load(thread, at, &c, sizeof c);
    return c;
}

/* Where the first such byte of the range is, or NULL. */
HD_VIEW const char *hd_view_find(uint32_t thread, const char *at, int byte, uint64_t bytes)
{
    (void)thread;
    return memchr(at, byte, bytes);
}

/* The value that the atomic load, or the load part of a read-modify-write, returns.  `order`:
 * core/memory_order.h. */
HD_VIEW void hd_view_atomic_load(uint32_t thread, const void *at, void *into, uint64_t bytes,
                                 uint32_t order)
{
    (void)order;
    if (HD_LIKELY(!rt->weak) || rt->solo_fast) {
        hd_view_load(thread, at, into, bytes);
    } else {
        unsigned __int128 value = hd_weak_load_value(at, bytes);
        memcpy(into, &value, bytes < sizeof value ? bytes : sizeof value);
    }
}

/* Is memory to hold the value of the atomic store? */
HD_VIEW bool hd_view_enters_memory(const void *at, const void *from, uint32_t bytes)
{
    if (HD_LIKELY(!rt->weak) || rt->solo_fast)
        return true;
    unsigned __int128 value = 0;
    memcpy(&value, from, bytes);
    return hd_weak_store_value(at, value, bytes);
}

/* The atomic store of at most 16 bytes, or the store part of a read-modify-write. */
HD_VIEW void hd_view_atomic_store(uint32_t thread, void *at, const void *from, uint32_t bytes,
                                  uint32_t order)
{
    (void)order;
    if (hd_view_enters_memory(at, from, bytes))
        hd_view_store(thread, at, from, bytes);
}

/* The same for another number of bytes, which may be anywhere. */
HD_VIEW void hd_view_atomic_store_range(uint32_t thread, void *at, const void *from,
                                        uint64_t bytes, uint32_t order)
{
    (void)order;
    hd_view_store_result(thread, at, from, bytes);
}

/* peek.c: what an atomic load of `bytes` (at most 16) at `at` by the thread would return
 * now.  It never faults: memory that is not known to be there reads as zero. */
void hd_view_peek(uint32_t thread, uint64_t at, uint32_t bytes, uint64_t out[2]);

#endif
