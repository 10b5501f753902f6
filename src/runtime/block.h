/* The layout of the heap's blocks in memory.
 *
 * A thread's arena is cut into regions, one for every class of sizes; a region is an array of
 * slots of 128 << class bytes, aligned to their size.  A slot holds a header, the program's
 * bytes and at least HD_RED_ZONE bytes more:
 *
 *   slot: | header (64) | padding of aligned blocks | size bytes | red zone |
 *                                                   at
 *
 * So the header that belongs to an address is found by masking, whether the address is inside
 * the program's bytes or not; the headers are part of the red zones.
 *
 * Invariants:
 *  H1  a slot whose state is HD_BLOCK_NONE has never been handed out in this execution (the
 *      undo log brings the state back, and with it the meaning of the rest of the header)
 *  H2  a freed block keeps its bytes and its header until its slot is handed out again, and
 *      that is the oldest freed one of its list (heap.c) */
#ifndef HD_RUNTIME_BLOCK_H
#define HD_RUNTIME_BLOCK_H

#include "runtime/rt.h"

#define HD_RED_ZONE 16

/* The bits of a value that can be an address: the others may hold a tag. */
#define HD_REUSE_ADDRESS 0x0000fffffffffff8ull

enum hd_block_state { HD_BLOCK_NONE, HD_BLOCK_LIVE, HD_BLOCK_FREED };

enum hd_family { /* which function frees it */
                 HD_FAMILY_MALLOC,
                 HD_FAMILY_NEW,
                 HD_FAMILY_NEW_ARRAY,
                 HD_FAMILY_MAPPED,
                 HD_FAMILY_STREAM, /* freed: a stream of the library that was closed */
                 HD_FAMILY_DIRECTORY,
};

struct hd_block { /* world memory, in front of the program's bytes */
    uint64_t at;  /* the first of them */
    uint64_t size;
    uint64_t link;     /* freed: the next newer one in the list */
    uint32_t index;    /* its number among the blocks of its thread */
    uint32_t state;    /* enum hd_block_state */
    uint32_t thread;   /* that allocated it */
    uint32_t site;     /* of the allocation */
    uint32_t freed_by; /* freed: by this thread, */
    uint32_t freed_at; /* freed: at this site */
    uint16_t family;   /* enum hd_family */
    uint16_t has_sync; /* a synchronisation object was in it */
    uint32_t made;     /* the site that reports name, in a replay; the allocation or a call of
                          the function that returns the block */
    uint32_t tracked;  /* bytes that were never written have no value (undefined.h) */
    uint8_t reused;    /* the slot has been another block before */
    uint8_t unmapped;  /* it is being freed as a mapping, and others may ask for that */
    uint16_t compared; /* its address has been compared with another (reuse.c) */
};
_Static_assert(sizeof(struct hd_block) == 64, "the header fills the front of a slot");

static inline uint64_t hd_slot_bytes(uint32_t class) { return 128ull << class; }

static inline uint64_t hd_region(uint32_t thread, uint32_t class)
{
    return HD_HEAP_BASE + thread * HD_HEAP_STRIDE + class * HD_HEAP_REGION;
}

static inline bool hd_in_heap(uint64_t addr) { return addr - HD_HEAP_BASE < HD_HEAP_BYTES; }

/* The block whose slot holds the address, whatever its state; NULL: there is no slot. */
static inline struct hd_block *hd_block_at(uint64_t addr)
{
    uint64_t offset = addr - HD_HEAP_BASE, class = offset % HD_HEAP_STRIDE / HD_HEAP_REGION;
    if (offset >= HD_HEAP_BYTES || class >= HD_HEAP_CLASSES ||
        !rt->arena_mapped[offset / HD_HEAP_STRIDE])
        return NULL;
    return (struct hd_block *)(addr & ~(hd_slot_bytes((uint32_t)class) - 1));
}

#endif
